(class_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @struct
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(record_declaration name: (_) @name) @record
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(constructor_declaration name: (_) @name) @constructor
((destructor_declaration name: (_) @name) @method (#set! name "~{name}"))
((operator_declaration operator: _ @operator) @method (#set! name "operator {operator}"))
((conversion_operator_declaration type: (_) @type_name) @method (#set! name "operator {type_name}"))
((indexer_declaration accessors: (_) @body) @property (#set! name "this[]"))
((indexer_declaration) @property (#set! name "this[]"))
(property_declaration name: (_) @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @property
((property_declaration name: (_) @name value: (arrow_expression_clause) @body) @property)
((property_declaration name: (_) @name) @property (#set! gate "off"))
(event_declaration name: (_) @name) @property
((event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field)
(field_declaration (variable_declaration (variable_declarator name: (_) @name
  (lambda_expression body: (block) @body)))) @method
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
((namespace_declaration name: (_) @name) @namespace (#set! gate "off"))
(variable_declarator name: (identifier) @name (lambda_expression body: (block) @body)) @bound
