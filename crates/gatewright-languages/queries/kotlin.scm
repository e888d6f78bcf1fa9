((class_declaration "interface" @keyword name: (_) @name) @interface)
((class_declaration (modifiers (class_modifier "enum" @keyword)) name: (_) @name) @enum)
(class_declaration name: (_) @name) @class
(object_declaration name: (_) @name) @object
((companion_object name: (_) @name) @object)
((companion_object) @object (#set! name "Companion"))
(function_declaration name: (_) @name) @function
((secondary_constructor) @constructor (#set! name "constructor"))
(type_alias type: (_) @name) @type
((property_declaration (variable_declaration . (identifier) @name)
  [(getter (function_body) @body) (setter (function_body) @body)]) @property (#set! toplevel))
((property_declaration (variable_declaration . (identifier) @name)
  [(lambda_literal) (anonymous_function)] @body) @property (#set! toplevel))
((property_declaration (variable_declaration . (identifier) @name)) @property (#set! toplevel))
(property_declaration (variable_declaration . (identifier) @name) [(lambda_literal) (anonymous_function)] @body) @bound
