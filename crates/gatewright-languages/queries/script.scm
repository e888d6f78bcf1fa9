(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (function_expression "function" @keyword body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (generator_function "function" @keyword body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (class "class" @keyword body: (_) @body)) @class
((variable_declarator name: (identifier) @name
  value: (call_expression arguments: (arguments . (arrow_function body: (statement_block) @body)))) @function
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]") (#set! toplevel))
((variable_declarator name: (identifier) @name
  value: (call_expression arguments: (arguments . (function_expression "function" @keyword body: (_) @body)))) @function
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]") (#set! toplevel))
((variable_declarator name: (identifier) @name) @constant
  (#match? @name "^[A-Z][A-Z0-9_]*$") (#set! toplevel))
((variable_declarator name: (identifier) @name) @variable (#set! toplevel))
((assignment_expression left: (member_expression) @name right: (function_expression "function" @keyword body: (_) @body)) @function (#set! toplevel))
((assignment_expression left: (member_expression) @name right: (arrow_function body: (_) @body)) @function (#set! toplevel))
((assignment_expression left: (member_expression) @name right: (class "class" @keyword body: (_) @body)) @class (#set! toplevel))
((pair key: (_) @name value: (function_expression "function" @keyword body: (_) @body)) @method (#set! toplevel))
((pair key: (_) @name value: (arrow_function body: (_) @body)) @method (#set! toplevel))
(function_expression "function" @keyword name: (_) @name) @function
((export_statement "default" value: (function_expression "function" @keyword body: (_) @body)) @function (#set! name "default"))
((export_statement "default" value: (arrow_function body: (_) @body)) @function (#set! name "default"))
((export_statement "default" value: (class "class" @keyword body: (_) @body)) @class (#set! name "default"))
