(function_declaration name: (_) @name) @function
((method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @receiver))
  name: (_) @name) @method (#set! prefix "receiver"))
(type_spec name: (_) @name type: (struct_type "struct" @keyword (field_declaration_list) @body)) @struct
(type_spec name: (_) @name type: (interface_type "interface" @keyword) @body) @interface
(type_spec name: (_) @name type: (function_type)) @type
(type_spec name: (_) @name type: (_) @body) @type
(type_alias name: (_) @name type: (_) @body) @type
((method_elem name: (_) @name) @method (#set! gate "off"))
((var_spec name: (_) @name value: (expression_list . (func_literal "func" @keyword body: (_) @body) .)) @function
  (#set! toplevel))
((var_spec name: (_) @name) @variable (#set! toplevel))
((const_spec name: (_) @name) @constant (#set! toplevel))
(short_var_declaration left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (_) @body) .)) @bound
(var_spec name: (identifier) @name value: (expression_list . (func_literal body: (_) @body) .)) @bound
