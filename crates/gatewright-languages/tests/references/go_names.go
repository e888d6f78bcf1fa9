// Prints the declarations of well-known Go modules without parameters and bodies.
//
// `go run go_names.go ROOT MODULE@VERSION... > src/references/go/packages.txt`, where ROOT is a
// folder in which modules lie by path. A package is `== path module@version`, then Go: exported
// functions, constants and variables, all types (one that is not exported may be embedded) with
// their exported and embedded fields, and methods. Files of every platform count together. Packages
// whose declarations are longer than `longest`, mostly bindings and generated code, are left out.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

const longest = 24_000

// Folders that hardly any other module imports from.
var unused = map[string]bool{
	"internal": true, "testdata": true, "vendor": true, "examples": true, "example": true,
	"cmd": true, "interop": true, "benchmark": true, "xds": true, "test": true,
}

type pack struct {
	name    string
	imports map[string]string
	lines   map[string]bool
	vars    map[string][]string
}

func main() {
	fmt.Println("# Declarations of well-known Go modules, by tests/references/go_names.go.")
	modules := os.Args[2:]
	sort.Strings(modules)
	for _, module := range modules {
		path, version, _ := strings.Cut(module, "@")
		folders := map[string]bool{}
		root := filepath.Join(os.Args[1], path)
		filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && skipped(file, root) {
				return filepath.SkipDir
			}
			if err == nil && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
				folders[filepath.Dir(file)] = true
			}
			return nil
		})
		sorted := []string{}
		for folder := range folders {
			sorted = append(sorted, folder)
		}
		sort.Strings(sorted)
		for _, folder := range sorted {
			inside, _ := filepath.Rel(os.Args[1], folder)
			write(inside, path+"@"+version, folder)
		}
	}
}

func skipped(folder, root string) bool {
	name := filepath.Base(folder)
	inner := folder != root
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return inner && (err == nil || unused[name] || name[0] == '_' || name[0] == '.')
}

func write(path, module, folder string) {
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	found := pack{imports: map[string]string{}, lines: map[string]bool{}, vars: map[string][]string{}}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil || parsed.Name.Name == "main" || strings.HasSuffix(parsed.Name.Name, "_test") {
			continue
		}
		found.name = parsed.Name.Name
		for _, one := range parsed.Imports {
			line := one.Path.Value
			name := filepath.Base(strings.Trim(line, `"`))
			if one.Name != nil {
				name, line = one.Name.Name, one.Name.Name+" "+line
			}
			found.imports[line] = name
		}
		for _, declared := range parsed.Decls {
			found.declare(declared)
		}
	}
	if found.name == "" || len(found.lines)+len(found.vars) == 0 {
		return
	}
	lines := []string{}
	for line := range found.imports {
		lines = append(lines, "import "+line)
	}
	sort.Strings(lines)
	declared := []string{}
	for line := range found.lines {
		declared = append(declared, line)
	}
	for kind, names := range found.vars {
		sort.Strings(names)
		declared = append(declared, "var "+strings.Join(names, ",")+" "+kind)
	}
	sort.Strings(declared)
	all := strings.Join(declared, "\n")
	if len(all) > longest {
		return
	}
	fmt.Printf("== %s %s\npackage %s\n", path, module, found.name)
	for _, line := range lines {
		name := found.imports[strings.TrimPrefix(line, "import ")]
		name = strings.TrimSuffix(strings.TrimPrefix(name, "go-"), "-go")
		// A package may have another name than its path says; what is used is kept either way.
		if strings.Contains(all, name+".") || strings.Contains(line, "/v") {
			fmt.Println(line)
		}
	}
	fmt.Println(all)
}

func (found *pack) declare(declared ast.Decl) {
	switch it := declared.(type) {
	case *ast.FuncDecl:
		if !it.Name.IsExported() {
			return
		}
		line := "func " + it.Name.Name
		if it.Recv != nil {
			line = "func(" + receiver(it.Recv.List[0].Type) + ")" + it.Name.Name
		}
		if it.Type.TypeParams != nil {
			found.lines[line+"()"] = true
			return
		}
		found.lines[line+"()"+results(it.Type)] = true
	case *ast.GenDecl:
		for _, one := range it.Specs {
			switch spec := one.(type) {
			case *ast.TypeSpec:
				found.named(spec)
			case *ast.ValueSpec:
				found.values(spec)
			}
		}
	}
}

func (found *pack) named(spec *ast.TypeSpec) {
	line := "type " + spec.Name.Name
	if spec.TypeParams != nil {
		line += "[" + strings.Join(parameters(spec.TypeParams), ",") + " any]"
	}
	if spec.Assign.IsValid() {
		line += "="
	}
	found.lines[line+" "+text(bare(spec.Type))] = true
}

func parameters(list *ast.FieldList) []string {
	names := []string{}
	for _, field := range list.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// values notes constants as variables, and without a type where none is written: which one a
// constant of a block has is not known here.
func (found *pack) values(spec *ast.ValueSpec) {
	kind := "T_"
	if spec.Type != nil {
		kind = text(bare(spec.Type))
	}
	for _, name := range spec.Names {
		if name.IsExported() {
			found.vars[kind] = append(found.vars[kind], name.Name)
		}
	}
}

func receiver(of ast.Expr) string {
	switch it := of.(type) {
	case *ast.StarExpr:
		return receiver(it.X)
	case *ast.IndexExpr:
		return receiver(it.X)
	case *ast.IndexListExpr:
		return receiver(it.X)
	}
	return text(of)
}

func results(of *ast.FuncType) string {
	if of.Results == nil {
		return ""
	}
	types := []string{}
	for _, field := range of.Results.List {
		for range max(field.Names) {
			types = append(types, text(bare(field.Type)))
		}
	}
	if len(types) == 1 {
		return types[0]
	}
	return "(" + strings.Join(types, ",") + ")"
}

func max(names []*ast.Ident) []struct{} {
	if len(names) == 0 {
		return make([]struct{}, 1)
	}
	return make([]struct{}, len(names))
}

// bare takes away parameters, tags and fields that nobody else sees.
func bare(of ast.Expr) ast.Expr {
	switch it := of.(type) {
	case *ast.StructType:
		kept := []*ast.Field{}
		for _, field := range it.Fields.List {
			names := []*ast.Ident{}
			for _, name := range field.Names {
				if name.IsExported() {
					names = append(names, name)
				}
			}
			if len(names) > 0 || len(field.Names) == 0 {
				kept = append(kept, &ast.Field{Names: names, Type: bare(field.Type)})
			}
		}
		return &ast.StructType{Fields: &ast.FieldList{List: kept}}
	case *ast.InterfaceType:
		for _, field := range it.Methods.List {
			field.Type = bare(field.Type)
			field.Doc, field.Comment = nil, nil
		}
		return it
	case *ast.FuncType:
		return &ast.FuncType{Params: &ast.FieldList{}, Results: it.Results}
	case *ast.StarExpr:
		return &ast.StarExpr{X: bare(it.X)}
	case *ast.ArrayType:
		return &ast.ArrayType{Elt: bare(it.Elt)}
	case *ast.MapType:
		return &ast.MapType{Key: bare(it.Key), Value: bare(it.Value)}
	}
	return of
}

func text(of ast.Expr) string {
	var buffer bytes.Buffer
	printer.Fprint(&buffer, token.NewFileSet(), of)
	lines := strings.Split(buffer.String(), "\n")
	parts := []string{}
	for _, line := range lines {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.NewReplacer("{;", "{", ";}", "}", "{ ", "{", " }", "}").Replace(strings.Join(parts, ";"))
}
