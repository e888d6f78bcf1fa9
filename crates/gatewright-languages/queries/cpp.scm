((function_definition declarator: (_) @declarator) @function)
(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @struct
(enum_specifier name: (_) @name body: (_) @body) @enum
(type_definition type: (struct_specifier "struct" @keyword !name body: (_) @body) declarator: (_) @declarator) @struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (_) @declarator) @struct
(type_definition type: (enum_specifier "enum" @keyword !name body: (_) @body) declarator: (_) @declarator) @enum
((type_definition type: (struct_specifier body: (_))) @skip)
((type_definition type: (union_specifier body: (_))) @skip)
((type_definition type: (enum_specifier body: (_))) @skip)
(type_definition declarator: (_) @declarator) @type
((declaration declarator: (init_declarator declarator: (_) @declarator
  value: (lambda_expression body: (_) @body))) @function (#set! toplevel))
((declaration declarator: (_) @declarator) @prototype (#set! require "function_declarator") (#set! gate "off") (#set! toplevel))
(preproc_function_def name: (_) @name value: (_) @body) @macro
(class_specifier name: (_) @name body: (_) @body) @class
((field_declaration declarator: (_) @declarator) @prototype (#set! require "function_declarator") (#set! gate "off"))
((namespace_definition name: (_) @name) @namespace (#set! gate "off"))
(alias_declaration name: (_) @name type: (_) @body) @type
(concept_definition name: (_) @name (requires_expression requirements: (_) @body)) @type
(concept_definition name: (_) @name) @type
(init_declarator declarator: (identifier) @name value: (lambda_expression body: (_) @body)) @bound
