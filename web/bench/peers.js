// The same diff in two well-known views. Each function gives when it began and how its content is known.
import { CodeView, parseDiffFromFile, preloadHighlighter } from "@pierre/diffs";
import { python } from "@codemirror/lang-python";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorView, basicSetup } from "codemirror";

const place = document.getElementById("place");
place.style.cssText = "height: 700px; overflow: auto;";

window.peers = {
  async pierre(before, after) {
    await preloadHighlighter({ themes: ["pierre-light", "pierre-dark"], langs: ["python"] });
    const parsing = performance.now();
    const fileDiff = parseDiffFromFile({ name: "big.py", contents: before }, { name: "big.py", contents: after });
    const began = performance.now();
    const view = new CodeView({ diffStyle: "unified", themeType: "light" });
    view.setup(place);
    view.setItems([{ id: "big", type: "diff", fileDiff }]);
    view.render(true);
    return { parse: began - parsing, began };
  },
  async codemirror(before, after) {
    place.style.overflow = "visible";
    const began = performance.now();
    const extensions = [basicSetup, python(), unifiedMergeView({ original: before }), EditorView.theme({ "&": { height: "700px" } })];
    new EditorView({ doc: after, extensions, parent: place });
    return { parse: 0, began };
  },
};
