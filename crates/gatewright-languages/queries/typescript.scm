(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name value: (function_type)) @type
(type_alias_declaration name: (_) @name value: (_) @body) @type
(enum_declaration name: (_) @name) @enum
(abstract_class_declaration name: (_) @name) @class
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(class_body (method_signature name: (_) @name) @method)
((method_signature name: (_) @name) @method (#set! gate "off"))
((internal_module name: (_) @name) @namespace (#set! gate "off"))
((module name: (_) @name) @namespace (#set! gate "off"))
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @method
(public_field_definition name: (_) @name value: (function_expression "function" @keyword body: (_) @body)) @method
(public_field_definition name: (_) @name) @field
