(function_definition name: (_) @name) @function
(class_definition name: (_) @name) @class
((assignment left: (identifier) @name type: (type) @annotation right: (_) @body) @type
  (#match? @annotation "TypeAlias$") (#set! toplevel))
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @name right: (lambda body: (_) @body)) @method)))
((assignment left: (identifier) @name right: (lambda body: (_) @body)) @function (#set! toplevel))
((assignment left: (identifier) @name) @constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$") (#set! toplevel))
((assignment left: (identifier) @name) @variable (#set! toplevel))
(type_alias_statement left: (_) @name) @type
