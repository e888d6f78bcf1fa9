; A capture named after a kind is the definition; @name, @body, @keyword, @declarator and the
; captures that a name template uses are parts of it. The first pattern that matches a node wins.
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @trait
((impl_item trait: (_) @trait_name type: (_) @type_name) @impl
  (#set! name "impl {trait_name} for {type_name}"))
((impl_item type: (_) @type_name) @impl (#set! name "impl {type_name}"))
(mod_item name: (_) @name body: (_) @body) @module
((mod_item name: (_) @name) @module (#set! gate "off"))
(type_item name: (_) @name type: (_) @body) @type
((associated_type name: (_) @name) @type (#set! gate "off"))
(macro_definition name: (_) @name) @macro
((const_item name: (_) @name) @constant (#set! toplevel))
((static_item name: (_) @name) @constant (#set! toplevel))
((macro_invocation macro: (_) @name (token_tree) @body) @macro
  (#set! name "{name}!") (#set! toplevel) (#set! gate "off") (#set! outermost))
(let_declaration pattern: (identifier) @name value: (closure_expression body: (_) @body)) @bound
