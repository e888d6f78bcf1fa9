// Made from the server's wire types; `GATEWRIGHT_BLESS=1 cargo test` writes it anew. Do not edit.

export type AllowList = {
  allow_paths: string[];
};

export type Change = {
  files: FileDetail[];
  findings: Finding[];
  summary: ChangeSummary;
  verdict: string;
};

export type ChangeList = {
  changes: ChangeSummary[];
};

export type ChangeSummary = {
  agent: string;
  content: string;
  created: string;
  door: string;
  files: FileSummary[];
  guards: Guards;
  id: string;
  run_id: string;
  state: string;
  suggest_only: boolean;
  tally: Tally;
  version: number;
};

export type Chart = {
  agents: ChartRow[];
  proposals: number;
  times: ChartRow[];
};

export type ChartRow = {
  counts: OutcomeCounts;
  name: string;
};

export type Conflict = {
  changed_since: Hunk[];
  is_gone: boolean;
  proposed: Hunk[];
};

export type Decided = {
  files: DecidedFile[];
  id: string;
  tally: Tally;
  version: number;
};

export type DecidedFile = {
  decisions: Record<string, Decision>;
  path: string;
  tally: Tally;
};

export type Decision = {
  choice: string;
  comment: string | null;
  lines: number[] | null;
};

export type Event = {
  agent: string | null;
  change_id: string | null;
  kind: string;
  seq: number | null;
  text: string;
  timestamp: string | null;
};

export type Failure = {
  error: FailureDetail;
};

export type FailureDetail = {
  code: string;
  hint: string | null;
  message: string;
};

export type FileDetail = {
  after_hash: string | null;
  before_hash: string | null;
  before_lines: number;
  conflict: Conflict | null;
  findings: Finding[];
  hidden: number;
  missing: Missing[];
  path: string;
  symbol: string | null;
  units: Unit[];
};

export type FileRecord = {
  after_hash: string | null;
  before_hash: string | null;
  path: string;
  requested: string | null;
};

export type FileSummary = {
  added: number;
  kind: string;
  path: string;
  removed: number;
  requested: string | null;
  tally: Tally;
  verdict: string;
};

export type Finding = {
  code: string;
  column: number | null;
  guard: string;
  hint: string | null;
  line: number | null;
  message: string;
  path: string;
  severity: string;
};

export type Guards = {
  egress: string;
  hallucination: string;
  structure: string;
  write: string;
};

export type Hunk = {
  after_count: number;
  after_start: number;
  before_count: number;
  before_start: number;
  lines: Line[];
};

export type HunkRecord = {
  hunks: string[];
  path: string;
};

export type Line = {
  kind: string;
  new?: number | null;
  no_newline?: boolean | null;
  old?: number | null;
  ranges?: string | null;
  spans?: string | null;
  text: string;
};

export type LineList = {
  from: number;
  lines: PlainLine[];
};

export type Missing = {
  line: number;
  name: string;
  suggestions: string[];
};

export type Mode = {
  laxest: string;
  mode: string;
  must_suggest_only: boolean;
  suggest_only: boolean;
};

export type Outcome = {
  disposition: string;
  files: string[];
  receipt_id: string;
  seq: number;
};

export type OutcomeCounts = {
  confirm: number;
  fail: number;
  pass: number;
  unchecked: number;
  warn: number;
};

export type PlainLine = {
  spans?: string | null;
  text: string;
};

export type Proof = {
  checkpoint: string;
  holds: boolean;
  leaf: string;
  path: string[];
  root: string;
  seq: number;
  size: number;
};

export type ReceiptDetail = {
  agent_version: string;
  autonomy: string;
  can_undo: boolean;
  diffs: HunkRecord[];
  files: FileRecord[];
  findings: Finding[];
  policy_hash: string;
  prev_receipt_hash: string | null;
  refers_to: string | null;
  run_id: string;
  self_hash: string;
  summary: ReceiptSummary;
  symbols_checked: number;
  user: string;
};

export type ReceiptList = {
  receipts: ReceiptSummary[];
  total: number;
};

export type ReceiptSummary = {
  action: string;
  agent: string;
  applied: boolean;
  door: string;
  guards: Guards;
  note: string | null;
  paths: string[];
  reason: string | null;
  receipt_id: string;
  redactions: Record<string, number>;
  reviewer: string | null;
  seq: number;
  timestamp: string;
};

export type RuleList = {
  allow_paths: string[];
  blocked_paths: string[];
  blocked_patterns: string[];
  rules: RuleRow[];
};

export type RuleRow = {
  code: string;
  effect: string;
  examples: string[];
  group: string;
  guard: string;
  reason: string;
  source: string;
};

export type State = {
  mode: Mode;
  open_changes: number;
  open_files: number;
  receipts: number;
  reviewer: string;
  version: string;
  workspace: string;
};

export type Tally = {
  accepted: number;
  rejected: number;
  undecided: number;
};

export type Tried = {
  findings: Finding[];
  hidden: Record<string, number>;
  resolved: string | null;
  shown: string | null;
  verdict: string | null;
};

export type UndoPreview = {
  conflicts: string[];
  files: FileDetail[];
};

export type Unit = {
  decision: Decision | null;
  hunk: Hunk | null;
  id: string;
  label: string | null;
};

export type VerifyResult = {
  bad_seq: number | null;
  head: string | null;
  milliseconds: number;
  reason: string | null;
  receipts: number;
  root: string;
  verdict: string;
};

export type Apply = {
  confirm: boolean;
  version: number;
};

export type ChoiceWord = "accept" | "reject" | "undecided";

export type CommentOn = {
  content: string;
  line?: number | null;
  path: string;
  text: string;
  unit: string;
};

export type Decide = {
  choice: ChoiceWord;
  comment?: string | null;
  content: string;
  lines?: number[] | null;
  part: PartOf;
};

export type EditHunk = {
  content: string;
  path: string;
  text: string;
  unit: string;
};

export type Exchange = {
  code: string;
};

export type PartOf = {
  of: "all";
} | {
  of: "file";
  path: string;
} | {
  of: "unit";
  path: string;
  unit: string;
};

export type Reject = {
  comment?: string | null;
  version: number;
};

export type SetAllowed = {
  paths: string[];
  seen: string[];
};

export type SetMode = {
  mode: string;
  suggest_only: boolean;
};

export type TryRules = {
  path?: string | null;
  text?: string | null;
};
