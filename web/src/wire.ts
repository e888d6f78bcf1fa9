// Made from the server's wire types; `GATEWRIGHT_BLESS=1 cargo test` writes it anew. Do not edit.

export type ChangeList = {
  changes: ChangeSummary[];
};

export type ChangeSummary = {
  id: string;
  version: number;
  content: string;
  state: string;
  agent: string;
  door: string;
  run_id: string;
  created: string;
  suggest_only: boolean;
  guards: Guards;
  files: FileSummary[];
  tally: Tally;
};

export type Guards = {
  structure: string;
  write: string;
  hallucination: string;
  egress: string;
};

export type FileSummary = {
  path: string;
  requested: string | null;
  kind: string;
  added: number;
  removed: number;
  tally: Tally;
  verdict: string;
};

export type Tally = {
  accepted: number;
  rejected: number;
  undecided: number;
};

export type Change = {
  summary: ChangeSummary;
  verdict: string;
  files: FileDetail[];
  findings: Finding[];
};

export type FileDetail = {
  path: string;
  symbol: string | null;
  units: Unit[];
  findings: Finding[];
  missing: Missing[];
  before_lines: number;
  hidden: number;
  before_hash: string | null;
  after_hash: string | null;
  conflict: Conflict | null;
};

export type Unit = {
  id: string;
  label: string | null;
  hunk: Hunk | null;
  decision: Decision | null;
};

export type Hunk = {
  before_start: number;
  before_count: number;
  after_start: number;
  after_count: number;
  lines: Line[];
};

export type Line = {
  kind: string;
  old?: number | null;
  new?: number | null;
  text: string;
  ranges?: string | null;
  spans?: string | null;
  no_newline?: boolean | null;
};

export type Decision = {
  choice: string;
  lines: number[] | null;
  comment: string | null;
};

export type Finding = {
  code: string;
  guard: string;
  severity: string;
  path: string;
  line: number | null;
  column: number | null;
  message: string;
  hint: string | null;
};

export type Missing = {
  name: string;
  line: number;
  suggestions: string[];
};

export type Conflict = {
  changed_since: Hunk[];
  proposed: Hunk[];
  is_gone: boolean;
};

export type Decided = {
  id: string;
  version: number;
  tally: Tally;
  files: DecidedFile[];
};

export type DecidedFile = {
  path: string;
  tally: Tally;
  decisions: Record<string, Decision>;
};

export type LineList = {
  from: number;
  lines: PlainLine[];
};

export type PlainLine = {
  text: string;
  spans?: string | null;
};

export type Outcome = {
  disposition: string;
  receipt_id: string;
  seq: number;
  files: string[];
};

export type Event = {
  kind: string;
  change_id: string | null;
  seq: number | null;
  agent: string | null;
  text: string;
  timestamp: string | null;
};

export type ReceiptList = {
  receipts: ReceiptSummary[];
  total: number;
};

export type ReceiptSummary = {
  seq: number;
  receipt_id: string;
  timestamp: string;
  action: string;
  applied: boolean;
  agent: string;
  door: string;
  paths: string[];
  guards: Guards;
  note: string | null;
  reviewer: string | null;
  reason: string | null;
  redactions: Record<string, number>;
};

export type ReceiptDetail = {
  summary: ReceiptSummary;
  agent_version: string;
  run_id: string;
  user: string;
  autonomy: string;
  files: FileRecord[];
  diffs: HunkRecord[];
  findings: Finding[];
  symbols_checked: number;
  refers_to: string | null;
  can_undo: boolean;
  policy_hash: string;
  prev_receipt_hash: string | null;
  self_hash: string;
};

export type FileRecord = {
  path: string;
  requested: string | null;
  before_hash: string | null;
  after_hash: string | null;
};

export type HunkRecord = {
  path: string;
  hunks: string[];
};

export type Chart = {
  times: ChartRow[];
  agents: ChartRow[];
  proposals: number;
};

export type ChartRow = {
  name: string;
  counts: OutcomeCounts;
};

export type OutcomeCounts = {
  pass: number;
  unchecked: number;
  warn: number;
  confirm: number;
  fail: number;
};

export type UndoPreview = {
  files: FileDetail[];
  conflicts: string[];
};

export type VerifyResult = {
  verdict: string;
  receipts: number;
  bad_seq: number | null;
  reason: string | null;
  head: string | null;
  root: string;
  milliseconds: number;
};

export type Proof = {
  seq: number;
  size: number;
  leaf: string;
  path: string[];
  root: string;
  checkpoint: string;
  holds: boolean;
};

export type State = {
  workspace: string;
  version: string;
  reviewer: string;
  mode: Mode;
  open_changes: number;
  open_files: number;
  receipts: number;
};

export type Mode = {
  mode: string;
  suggest_only: boolean;
  laxest: string;
  must_suggest_only: boolean;
};

export type RuleList = {
  rules: RuleRow[];
  blocked_paths: string[];
  blocked_patterns: string[];
  allow_paths: string[];
};

export type RuleRow = {
  code: string;
  guard: string;
  group: string;
  effect: string;
  reason: string;
  source: string;
  examples: string[];
};

export type AllowList = {
  allow_paths: string[];
};

export type Tried = {
  verdict: string | null;
  resolved: string | null;
  findings: Finding[];
  shown: string | null;
  hidden: Record<string, number>;
};

export type Failure = {
  error: FailureDetail;
};

export type FailureDetail = {
  code: string;
  message: string;
  hint: string | null;
};

export type Exchange = {
  code: string;
};

export type Decide = {
  content: string;
  part: PartOf;
  choice: ChoiceWord;
  lines?: number[] | null;
  comment?: string | null;
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

export type ChoiceWord = "accept" | "reject" | "undecided";

export type CommentOn = {
  content: string;
  path: string;
  unit: string;
  line?: number | null;
  text: string;
};

export type EditHunk = {
  content: string;
  path: string;
  unit: string;
  text: string;
};

export type Apply = {
  version: number;
  confirm: boolean;
};

export type Reject = {
  version: number;
  comment?: string | null;
};

export type SetMode = {
  mode: string;
  suggest_only: boolean;
};

export type SetAllowed = {
  seen: string[];
  paths: string[];
};

export type TryRules = {
  path?: string | null;
  text?: string | null;
};
