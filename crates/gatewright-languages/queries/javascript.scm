(field_definition property: (_) @name value: (arrow_function body: (_) @body)) @method
(field_definition property: (_) @name value: (function_expression "function" @keyword body: (_) @body)) @method
(field_definition property: (_) @name) @field
