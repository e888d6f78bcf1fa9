"""A language server for tests over the real Roslyn engine. Not a shipping server of C#.

No server of C# can be installed by name from the registries, so the tests host the engine
itself: what a name stands for, where it is used, what a rename changes and what is wrong with a
file are Roslyn's answers. The protocol's manners are this file's, and prove nothing about
csharp-ls, OmniSharp or Microsoft's server.

Argument: the .NET root that layout.py made.
"""

import json
import os
import pathlib
import sys
import urllib.parse

ROOT = pathlib.Path(sys.argv[1])
OUTPUT = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # Whatever the runtime prints must not stand between two messages.

# The protocol's numbers.
METHOD_NOT_FOUND, REQUEST_FAILED = -32601, -32803
KINDS = {
    "NamespaceDeclaration": 3, "FileScopedNamespaceDeclaration": 3,
    "ClassDeclaration": 5, "RecordDeclaration": 5, "DelegateDeclaration": 5,
    "MethodDeclaration": 6, "PropertyDeclaration": 7, "IndexerDeclaration": 7,
    "ConstructorDeclaration": 9, "DestructorDeclaration": 9, "EnumDeclaration": 10,
    "InterfaceDeclaration": 11, "EnumMemberDeclaration": 22, "StructDeclaration": 23,
    "RecordStructDeclaration": 23, "EventDeclaration": 24, "OperatorDeclaration": 25,
}
FIELDS = ("FieldDeclaration", "EventFieldDeclaration")
SEVERITIES = {"Error": 1, "Warning": 2, "Info": 3}
IMPLICIT = ("System", "System.Collections.Generic", "System.IO", "System.Linq",
            "System.Net.Http", "System.Threading", "System.Threading.Tasks")


def start_runtime():
    from clr_loader import get_coreclr
    import pythonnet
    runtime = get_coreclr(runtime_config=str(ROOT / "runtimeconfig.json"), dotnet_root=str(ROOT))
    pythonnet.set_runtime(runtime)
    import clr
    sys.path.append(str(ROOT / "roslyn"))
    for assembly in ("", ".CSharp", ".Workspaces", ".CSharp.Workspaces"):
        clr.AddReference("Microsoft.CodeAnalysis" + assembly)


def path_of(uri):
    return os.path.realpath(urllib.parse.unquote(urllib.parse.urlparse(uri).path))


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


class Project:
    """One compilation of every `.cs` file below a folder."""

    def __init__(self, folder):
        import Microsoft.CodeAnalysis as roslyn
        import Microsoft.CodeAnalysis.CSharp as csharp
        from Microsoft.CodeAnalysis.FindSymbols import SymbolFinder
        from Microsoft.CodeAnalysis.Rename import Renamer, SymbolRenameOptions
        from Microsoft.CodeAnalysis.Text import SourceText
        from System.Threading import CancellationToken
        self.roslyn, self.csharp, self.source_text = roslyn, csharp, SourceText
        self.finder, self.renamer, self.options = SymbolFinder, Renamer, SymbolRenameOptions
        self.never = CancellationToken(False)
        self.documents, self.paths = {}, {}
        self.solution = self.empty_solution()
        for path in sorted(pathlib.Path(folder).rglob("*.cs")):
            if not {"bin", "obj"} & set(path.parts):
                self.put(os.path.realpath(path), read(path))
        if any("<ImplicitUsings>enable" in read(path) for path in pathlib.Path(folder).rglob("*.csproj")):
            self.put("/implicit.cs", "".join(f"global using {name};\n" for name in IMPLICIT))

    def empty_solution(self):
        from System.Collections.Generic import List
        roslyn = self.roslyn
        references = List[roslyn.MetadataReference]()
        for library in sorted((ROOT / "shared").rglob("*.dll")):
            if library.name.startswith(("System", "Microsoft.CSharp", "mscorlib", "netstandard")):
                references.Add(roslyn.MetadataReference.CreateFromFile(str(library)))
        self.project = roslyn.ProjectId.CreateNewId()
        info = roslyn.ProjectInfo.Create(
            self.project, roslyn.VersionStamp.Create(), "project", "project", roslyn.LanguageNames.CSharp)
        kind = self.csharp.CSharpCompilationOptions(roslyn.OutputKind.DynamicallyLinkedLibrary)
        solution = roslyn.AdhocWorkspace().CurrentSolution.AddProject(info)
        solution = solution.WithProjectMetadataReferences(self.project, references)
        return solution.WithProjectCompilationOptions(self.project, kind)

    def put(self, path, text):
        text = self.source_text.From(text)
        if path in self.documents:
            self.solution = self.solution.WithDocumentText(self.documents[path], text)
            return
        number = self.roslyn.DocumentId.CreateNewId(self.project)
        self.documents[path], self.paths[str(number.Id)] = number, path
        self.solution = self.solution.AddDocument(number, os.path.basename(path), text, None, path)

    def reload(self, path):
        """Brings a document to what is on disk."""
        if os.path.exists(path):
            self.put(path, read(path))
        elif path in self.documents:
            self.solution = self.solution.RemoveDocument(self.documents.pop(path))

    def document(self, path):
        return self.solution.GetDocument(self.documents[path])

    def symbol_at(self, path, position):
        document = self.document(path)
        lines = document.GetTextAsync(self.never).Result.Lines
        offset = lines[position["line"]].Start + position["character"]
        symbol = self.finder.FindSymbolAtPositionAsync(document, offset, self.never).Result
        if symbol is None or not any(place.IsInSource for place in symbol.Locations):
            raise ValueError("no symbol of this project stands there")
        return symbol

    def symbols(self, path):
        document = self.document(path)
        text = document.GetTextAsync(self.never).Result
        return list(self.members(text, document.GetSyntaxRootAsync(self.never).Result))

    def members(self, text, node):
        for child in node.ChildNodes():
            kind = str(self.csharp.CSharpExtensions.Kind(child))
            if kind in FIELDS:
                for variable in child.Declaration.Variables:
                    yield entry(text, child, variable.Identifier, 8, [])
            elif kind in KINDS:
                name = getattr(child, "Identifier", None) or getattr(child, "Name", None) or child
                yield entry(text, child, name, KINDS[kind], list(self.members(text, child)))

    def references(self, path, position):
        symbol = self.symbol_at(path, position)
        found = self.finder.FindReferencesAsync(symbol, self.solution, self.never).Result
        places = []
        for group in found:
            places += [use.Location for use in group.Locations]
            places += [place for place in group.Definition.Locations if place.IsInSource]
        return [location(place) for place in places]

    def rename(self, path, position, new):
        symbol = self.symbol_at(path, position)
        renamed = self.renamer.RenameSymbolAsync(
            self.solution, symbol, self.options(), new, self.never).Result
        changes = {}
        for project in renamed.GetChanges(self.solution).GetProjectChanges():
            for number in project.GetChangedDocuments():
                old, new_document = self.solution.GetDocument(number), renamed.GetDocument(number)
                text = old.GetTextAsync(self.never).Result
                edits = new_document.GetTextChangesAsync(old, self.never).Result
                uri = pathlib.Path(self.paths[str(number.Id)]).as_uri()
                changes[uri] = [{"range": span(text, edit.Span), "newText": edit.NewText} for edit in edits]
        return {"changes": changes}

    def diagnostics(self, path):
        model = self.document(path).GetSemanticModelAsync(self.never).Result
        text = self.document(path).GetTextAsync(self.never).Result
        return [{
            "range": span(text, found.Location.SourceSpan),
            "severity": SEVERITIES.get(str(found.Severity), 4),
            "code": found.Id,
            "message": found.GetMessage(),
        } for found in model.GetDiagnostics() if str(found.Severity) != "Hidden"]


def entry(text, node, name, kind, children):
    return {"name": str(name), "kind": kind, "range": span(text, node.Span),
            "selectionRange": span(text, name.Span), "children": children}


def point(end):
    return {"line": end.Line, "character": end.Character}


def span(text, place):
    lines = text.Lines.GetLinePositionSpan(place)
    return {"start": point(lines.Start), "end": point(lines.End)}


def location(place):
    lines = place.GetLineSpan()
    ends = {"start": point(lines.StartLinePosition), "end": point(lines.EndLinePosition)}
    return {"uri": pathlib.Path(lines.Path).as_uri(), "range": ends}


class Server:
    """The protocol: one message in, at most one out."""

    CAPABILITIES = {
        "positionEncoding": "utf-16", "textDocumentSync": {"openClose": True, "change": 1},
        "documentSymbolProvider": True, "referencesProvider": True, "renameProvider": True,
        "diagnosticProvider": {"interFileDependencies": True, "workspaceDiagnostics": False},
    }

    def __init__(self):
        self.project, self.shown = None, set()

    def initialize(self, params):
        start_runtime()
        self.project = Project(path_of(params["rootUri"]))
        return {"capabilities": self.CAPABILITIES,
                "serverInfo": {"name": "Roslyn host for tests", "version": "1"}}

    def document_open(self, path, params):
        self.shown.add(path)
        self.project.put(path, params["textDocument"]["text"])

    def document_close(self, path, _):
        self.shown.discard(path)
        self.project.reload(path)

    def files_changed(self, params):
        for change in params["changes"]:
            path = path_of(change["uri"])
            if path.endswith(".cs") and path not in self.shown:
                self.project.reload(path)

    DOCUMENT = {
        "textDocument/didOpen": document_open,
        "textDocument/didClose": document_close,
        "textDocument/didChange": lambda self, path, params:
            self.project.put(path, params["contentChanges"][-1]["text"]),
        "textDocument/documentSymbol": lambda self, path, _: self.project.symbols(path),
        "textDocument/references": lambda self, path, params:
            self.project.references(path, params["position"]),
        "textDocument/rename": lambda self, path, params:
            self.project.rename(path, params["position"], params["newName"]),
        "textDocument/diagnostic": lambda self, path, _:
            {"kind": "full", "items": self.project.diagnostics(path)},
    }
    OTHER = {
        "initialize": initialize, "workspace/didChangeWatchedFiles": files_changed,
        "shutdown": lambda self, _: None,
    }

    def answer(self, method, params):
        if method in self.DOCUMENT:
            return self.DOCUMENT[method](self, path_of(params["textDocument"]["uri"]), params)
        if method in self.OTHER:
            return self.OTHER[method](self, params)
        raise NotImplementedError(method)


def messages():
    while line := sys.stdin.buffer.readline():
        length = int(line.split(b":")[1])
        while sys.stdin.buffer.readline().strip():
            pass
        yield json.loads(sys.stdin.buffer.read(length))


def send(message):
    body = json.dumps(message | {"jsonrpc": "2.0"}).encode()
    OUTPUT.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    OUTPUT.flush()


def main():
    server = Server()
    for message in messages():
        method, number = message.get("method"), message.get("id")
        if method == "exit":
            break
        if method is None:
            continue
        try:
            reply = {"result": server.answer(method, message.get("params"))}
        except NotImplementedError as unknown:
            reply = {"error": {"code": METHOD_NOT_FOUND, "message": str(unknown)}}
        except Exception as error:  # The engine's own faults are answers, too.
            reply = {"error": {"code": REQUEST_FAILED, "message": str(error)}}
        if number is not None:
            send(reply | {"id": number})
    # The runtime's own threads would keep the process for seconds.
    os._exit(0)


main()
