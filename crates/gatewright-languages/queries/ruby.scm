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
(assignment left: (identifier) @name right: (lambda body: (_) @body)) @bound
((assignment left: (identifier) @name
  right: (call !receiver method: (identifier) @maker block: (_) @body)) @bound
  (#match? @maker "^(lambda|proc)$"))
((call receiver: [(array) (symbol_array) (string_array)] @list
  block: (_ parameters: (block_parameters . (identifier) @item)
    body: (_ (call !receiver method: (identifier) @maker arguments: (argument_list . (_) @template))))) @made
  (#match? @maker "^define(_singleton)?_method$"))
((call !receiver method: (identifier) @maker
  arguments: (argument_list . (string . (string_content) @name .) .) block: (_) @body) @function
  (#eq? @maker "define_method"))
((call !receiver method: (identifier) @maker
  arguments: (argument_list . [(simple_symbol) (string)] @name .) block: (_) @body) @function
  (#eq? @maker "define_singleton_method") (#set! name "self.{name}"))
