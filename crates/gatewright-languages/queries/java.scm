(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(record_declaration name: (_) @name) @record
(annotation_type_declaration name: (_) @name) @interface
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @constructor
(compact_constructor_declaration name: (_) @name) @constructor
((annotation_type_element_declaration name: (_) @name) @method (#set! gate "off"))
(field_declaration declarator: (variable_declarator name: (_) @name
  value: (lambda_expression body: (block) @body))) @method
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
(variable_declarator name: (identifier) @name value: (lambda_expression body: (block) @body)) @bound
