(method name: (_) @name) @function
((singleton_method object: (_) @receiver name: (_) @name) @function (#set! name "{receiver}.{name}"))
(class name: (_) @name) @class
((singleton_class value: (_) @value) @class (#set! name "<< {value}"))
(module name: (_) @name) @module
((assignment left: (constant) @name
  right: (call receiver: (constant) @maker block: (_) @body)) @class
  (#match? @maker "^(Struct|Class|Module|Data)$"))
((assignment left: (constant) @name right: (lambda body: (_) @body)) @function (#set! toplevel))
((assignment left: (constant) @name
  right: (call !receiver method: (identifier) @maker block: (_) @body)) @function
  (#match? @maker "^(lambda|proc)$") (#set! toplevel))
((assignment left: (constant) @name) @constant (#set! toplevel))
((call !receiver method: (identifier) @maker
  arguments: (argument_list . (simple_symbol) @name .) block: (_) @body) @function
  (#eq? @maker "define_method"))
