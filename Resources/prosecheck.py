#!/usr/bin/env python3
"""Report English that reads like a translation, and words that this project replaces.

Reads Swift comments and string literals, Localizable.strings (en) and Markdown. Of the tests, only comments are read.

  prosecheck.py                      all findings below the current folder
  prosecheck.py FILE...              only these files (for a commit: git diff --name-only)
  prosecheck.py --counts             a table: patterns by kind of text, then by target
  prosecheck.py --only ID,ID         only these patterns
  prosecheck.py --kinds ui,help      only these kinds: doc, comment, text, help, setting, ui, page
  prosecheck.py --list               the patterns and what to write instead
  prosecheck.py --strict             exit with 1 if there are findings (default: always 0)

A line that contains "prose:ok: REASON" is skipped.
"""
import argparse, bisect, collections, os, re, sys

KINDS = ("doc", "comment", "text", "help", "setting", "ui", "page")
USER = ("text", "help", "setting", "ui", "page")  # what users read
CODE = ("doc", "comment")
ALL = KINDS

# id, kinds, regex on one sentence (code spans are `x`), what to write instead.
# "^" is the beginning of a sentence. Groups are level A (reword), T (term), F (form).
P = [
 # --- openings
 ("of-start", "A", ALL, r"^Of (?!course\b)", "start with the subject: \"For a source: …\", \"Among …, only …\""),
 ("by-start", "A", CODE + ("setting", "help"), r"^By (?!default\b|convention\b|design\b|hand\b|contrast\b)", "say what it is: \"The name, keyed by …\", \"Sorted by …\""),
 ("what-start", "A", ("doc", "comment", "help", "setting", "text", "ui"), r"^[Ww]hat (?!(?:is|are|was|does|do|did|can|should|would)\b[^.]*\?)(?![^.]*\?$)", "use a noun: \"The text …\", \"The reason …\", \"The program that …\""),
 ("who-start", "A", ALL, r"^(?:Who|Whoever) (?![^.]*\?)", "\"Anyone who …\", \"The caller\", \"Clients that …\""),
 ("those-start", "A", ALL, r"^(?:Those|That) (?:of|that|which|who|with|in|on|from|at|are|for|without)\b", "name the thing: \"The sources that …\""),
 ("where-start", "A", ALL, r"^Where (?!(?:is|are|do|does|did|to)\b)(?![^.]*\?)(?=[^.]*,)", "\"If …\" or \"When …\" (\"where\" is for places)"),
 ("how-start", "A", ("doc", "setting", "help"), r"^[Hh]ow (?:long|many|much|often|far|soon) ", "\"The time …\", \"The number of …\", \"The maximum …\""),
 ("pronoun-start", "A", ("doc", "help"), r"^(?:It|Its|They|Their|Them|The same|Another one|One more|One of them|Both|All of them|None of)\b(?! is an error)", "name the subject: a reader of one declaration sees nothing before it"),
 ("prep-start", "A", ("doc",), r"^(?:From|For|In|On|With|Without|At|As|Also|Behind|Between|Against|Among|Up to|Not|Else|Until|Before|After|To) (?![^.]*, (?:the|this|it|a|an|all|no|every|each|so|only|one|and|nobody|nothing|there)\b)", "a noun or a verb first: \"The date …\", \"Returns …\", \"`true` if …\""),
 # --- words for notifying and reporting
 ("told", "A", ALL, r"\b(?:is|are|be|was|were|been|you) told\b|\btold (?:of|all)\b|\btells? (?:you |it |them |him |nobody |others? )?of\b|\btells for itself\b|\btelling\b(?! (?:apart|you))", "notify, notification; report; show"),
 ("said", "A", ALL, r"\b(?:is|are|was|were|be|been) said\b|\bwhat (?:was|is) said\b|\bsaid (?:of|once|with|at|when)\b", "reported, shown, printed, logged"),
 ("says-so", "A", ALL, r"\bsays? (?:so|why|which|how|whether|until|since|it|what|when)\b|\bsay (?:what|why|so)\b", "reports, shows, prints, explains; specifies (of a setting)"),
 ("hear", "A", ALL, r"\b(?:hears?|heard) (?:of|for|from)\b|\bhears?$", "learn of, receive; \"last synced\""),
 ("asked", "A", ALL, r"\b(?:is|are|was|were|been|be) asked\b(?! (?:to|for|about)\b)|\basked (?:of|with|without)\b|\basks? of\b", "requested, queried, sent a request; run against (a query)"),
 ("looked", "A", ALL, r"\b(?:is|are|was|were|be|been) looked (?:at|through)\b|\bnobody (?:has )?looked\b|\blooks? at (?:it|them|each|what)\b", "checked, examined, searched; viewed"),
 # --- set phrases
 ("again-and-again", "A", ALL, r"\bagain and again\b", "repeatedly, repeat"),
 ("all-the-same", "A", ALL, r"\ball the same\b", "anyway, still, even then"),
 ("as-ever", "A", ALL, r"\bas ever\b", "as usual, still"),
 ("anew", "A", ALL, r"\banew\b", "again, from scratch, re-…"),
 ("beside", "A", ALL, r"\bbeside\b", "next to (only for places); while … is running; apart from; in addition to"),
 ("takes-back", "A", ALL, r"\b(?:take|takes|taken|took|taking)(?: (?:all of it|all of that|it|them|that|this|one \w+ of \w+ \w+))? back\b(?! over)", "undo, revert; withdraw (a notification); restore"),
 ("put-away", "A", ALL, r"\bput(?:s|ting)? (?:it |them )?away\b|\bPut away\b", "dismissed, snoozed or hidden; \"hide\""),
 ("off-lists", "A", ALL, r"\boff the lists?\b|\bgo(?:es)? off\b|\b(?:leaves?|left) the lists?\b", "not listed, hidden; \"the dot disappears\""),
 ("in-sight", "A", ALL, r"\b(?:in|out of) sight\b", "visible, not visible"),
 ("is-news", "A", ALL, r"\b(?:is|was|are|isn't|be) news\b|\bnews again\b", "counts as new, becomes unread again"),
 ("is-over", "A", ALL, r"\b(?:is|are|was|were|be) over\b(?=\s*(?:[.;:,)]|$|and\b|when\b|once\b|there\b|here\b))", "has ended, is resolved, has expired"),
 ("goes-on", "A", ALL, r"\b(?:go|goes|went|going) on\b(?! to\b)", "continue, resume, keep running"),
 ("stands", "A", ALL, r"\b(?:stands?|stood)(?= (?:in|on|under|at|there|behind|among|over|one|where|inside|after|above|below|alone|by|next|between|outside|before)\b|[.;,]|$)", "is, appears, is listed, is written"),
 ("lies", "A", ALL, r"\blies? (?:in|on|over|below|there|under|at|beside)\b", "is stored, is in"),
 ("brings", "A", ALL, r"\b(?:brings?|brought|bringing)\b(?! (?:\w+ ){0,4}(?:back|forward|up to date|to mind)\b)", "deliver, add, contain, return, send"),
 ("query-means", "A", ALL, r"\b(?:quer(?:y|ies)|expression|list|rule|which messages it|messages it|how many it|that it|messages that)\b(?: \w+){0,2} means?\b(?! (?:the same|that|as)\b)|\bwhich messages (?:it|a query) means\b|\bmessages (?:that )?(?:a|this|the) query means\b", "match, select"),
 ("what-holds", "A", ALL, r"\bwhat holds\b|\bholds? (?:from then on|at once|now|without it|everywhere)\b", "applies, takes effect; the default"),
 ("not-count", "A", ALL, r"\b(?:only|last one|first one|longer one|one|order|settings|config\.toml|priority|time|id) counts(?=[.;,:]|$)", "takes precedence, wins, applies, is used"),
 ("so-many", "A", ALL, r"\b(?:at most|after|end after|until|only) so many\b|^[Aa]t most so many|\bthat so many\b", "\"at most this many …\", or the noun: \"the maximum number of …\""),
 ("a-line", "A", ALL, r"\b(?:object|address|message|JSON|name|one|path|URL|item|answer)s? a (?:line|source)\b|, a line each\b|, a (?:line|message) for each\b", "per line, one per line"),
 ("of-own", "A", ALL, r"\bof (?:its|their|his|one's|your|our|my|the \w+'s) own\b|\bof ours\b", "its own X, your own X (before the noun)"),
 ("by-itself", "A", ALL, r"\bby (?:itself|themselves|himself|herself|yourself)\b", "automatically, on its own; manually"),
 ("else-adverb", "A", ALL, r"(?:^|[,;:] )[Ee]lse\b(?! if\b)", "otherwise, falling back to, or"),
 ("nil-where", "A", CODE, r"\b[Nn]il (?:where|without|also where|until|there)\b|(?:^|; |, )[Nn]il: ", "\"`nil` if …\", \"Returns `nil` if …\", \"`nil` means …\""),
 ("two-whats", "A", ALL, r"\bwhat\b(?!ever)[^.?]*[ ,]what\b(?!ever)(?![^.]*\?)", "at most one \"what\" clause in a sentence: use nouns"),
 ("such-one", "A", ALL, r"\bsuch (?:a|an) one\b|\bsuch ones\b|\bthe one of\b", "repeat the noun"),
 ("in-spite", "A", ALL, r"\bin spite of (?:it|that|them)\b", "anyway, regardless"),
 ("prep-what", "A", ALL, r"\bin so many words\b|\bin what\b|\bto what it\b|\bwith what (?:it|they|that)\b", "use a noun"),
 ("who-bare", "A", ALL, r"\b(?:for|to|of|from|by|and|or|if|so) who(?:ever)? (?:\w+s|has|is|can|may)\b", "anyone who, those who"),
 # --- terms
 ("t-notice", "T", USER, r"(?<!\btook )\bnotices?\b(?! (?:that|how|when|it|changes|a change|what|of)\b)", "notification"),
 ("t-act", "T", USER, r"\b(?:[Aa]n act|[Aa]cts|the act|your act|last act|[Ee]very act|next act|one act|1 act|an earlier act)\b(?! on\b| as\b)", "action"),
 ("t-mistake", "T", USER, r"\bmistakes?\b", "error; \"invalid\""),
 ("t-person", "T", ALL, r"\b(?:a|the|each|that|this) persons?\b(?:'s)?(?! who\b)", "the user; you"),
 ("t-nobody", "T", ALL, r"\b(?:nobody|somebody)\b", "no one, another client; or the passive; or the user"),
 ("t-text", "T", ALL, r"\b[Aa] text\b(?! (?:file|field|editor|node|index))|\btexts\b", "text (no plural), string, wording"),
 ("t-grace", "T", USER, r"\b(?:the|its|within|a) grace\b(?! period)", "grace period"),
 ("t-place", "T", USER, r"(?<!in )(?<!took )(?<!takes )(?<!take )(?<!taken )\b(?:[Tt]he|[Aa]|[Ee]ach|new|another) place\b(?! (?:of|in|where|to|for)\b)", "sync location (the setting stays `place`); context (of keys); position"),
 ("t-dot", "T", USER, r"\bdots? (?:goes|go) (?:on|off)\b", "appears, disappears"),
 ("t-already", "T", USER, r"\bis followed already\b|\bfollowed already\b|\bis there already\b|\bexists already\b|\bis here already\b", "\"already exists\", \"already following\""),
 # --- form
 ("bare-command", "F", ("text", "ui"), r"(?<!run)(?<!with)(?<!such as)(?<!example): reddot (?:add|remove|sync|push|poll|run|list|banner|remind|restore|backup|check|import|hooks|rules|why)\b", "\"…; run `reddot …`\": say that it is a command to run"),
 ("cap-nil", "F", CODE, r"(?:^|[^`\w])[Nn]il\b(?!`)", "`nil` with backticks, not at the beginning of a sentence"),
 ("third-person", "F", ("help",), r"^(?:Adds|Makes|Lists|Removes|Serves|Publishes|Checks|Copies|Brings|Ends|Shows|Prints|Reads|Writes|Updates|Fills|Names|Groups|Selects|Confirms)\b", "imperative: Add, Create, List, …"),
 ("contraction", "F", ("text",), r"\b(?:can|is|are|was|were|does|do|did|has|have|could|would)n't\b|\bcan't\b", "no contractions in error messages: cannot, is not, does not"),
 ("semicolons", "F", ALL, r"^(?:[^;]*;){2}", "two or more semicolons: make sentences or a list"),
 ("long", "F", ALL, None, "a sentence of more than 30 words: split it"),
 ("repeats-name", "F", ("doc",), None, "the comment says only what the name says: delete it"),
]
PATTERNS = [(i, g, set(k), re.compile(r) if r else None, h) for i, g, k, r, h in P]
DISABLED = {"long", "semicolons"}  # only with --only or --counts

# ---------------------------------------------------------------- reading

class Segment:
    """Prose with the line of each character."""
    __slots__ = ("path", "kind", "text", "starts", "lines", "follows")
    def __init__(self, path, kind, parts, follows=""):
        self.path, self.kind, self.follows = path, kind, follows
        self.text, self.starts, self.lines = "", [], []
        for line, text in parts:
            if self.text and not self.text.endswith(" "): self.text += " "
            self.starts.append(len(self.text)); self.lines.append(line); self.text += text
    def line(self, offset): return self.lines[max(0, bisect.bisect_right(self.starts, offset) - 1)]

def cover(text):
    """Code spans, addresses and interpolations become `x` of the same length, so that only prose is matched."""
    fill = lambda m: "`" + "x" * max(0, len(m.group()) - 2) + "`"
    text = re.sub(r"``[^`]+``|`[^`]*`", fill, text)
    text = re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", fill, text)
    text = re.sub(r"\b(?:https?|postgres(?:ql)?|ssh|sqlite)://\S+", fill, text)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", lambda m: m.group(1).ljust(len(m.group())), text)

ABBREVIATIONS = re.compile(r"(?:\be\.g|\bi\.e|\betc|\bvs|\bapprox|\bNo|\ba\.m|\bp\.m)$")

def sentences(text):
    start = 0
    for m in re.finditer(r"[.!?](?=[\s\"”)*]+[A-Z`\"“(\[]|\s*$)|(?<=\w);\s|:\s(?=[A-Z])", text):
        if m.group()[0] == "." and ABBREVIATIONS.search(text[:m.start()]): continue
        if m.group()[0] == ";": continue
        yield start, text[start:m.end()]
        start = m.end()
    if start < len(text): yield start, text[start:]

LITERAL = re.compile(r'"""\n(.*?)\n[ \t]*"""|"((?:[^"\\\n]|\\\((?:[^()"]|\([^()]*\)|"[^"\n]*")*\)|\\.)*)"', re.S)
WORDY = re.compile(r"[A-Za-z']{2,} [a-z']{1,} [A-Za-z`]")

def swift(path, source):
    rows = source.split("\n")
    i = 0
    while i < len(rows):
        stripped = rows[i].strip()
        if not stripped.startswith("//") or stripped.startswith("// swift-"):
            i += 1; continue
        doc = stripped.startswith("///")
        parts, first = [], i
        while i < len(rows):
            s = rows[i].strip()
            if not s.startswith("//") or s.startswith("///") != doc or s.startswith("// MARK"): break
            body = re.sub(r"^/{2,3} ?", "", s)
            new = re.match(r"\s*- (?:Parameters?(?: \w+)?|Returns|Throws|Note|Important|[\w, ]+): ?", body)
            if new and doc or not body.strip():
                if parts: yield Segment(path, "doc" if doc and not getattr(parts, "tag", 0) else "comment", parts)
                parts = []
                if not body.strip(): i += 1; continue
                rest = body[new.end():]
                if rest: yield Segment(path, "comment", [(i + 1, rest)])
            else: parts.append((i + 1, body.strip()))
            i += 1
        if i == first: i += 1; continue
        declaration = ""
        j = i
        while doc and j < len(rows) and (rows[j].strip().startswith("@") or not rows[j].strip()): j += 1
        if j < len(rows): declaration = rows[j].strip()
        if parts: yield Segment(path, "doc" if doc and parts[0][0] == first + 1 else "comment", parts, declaration)
    plain = re.sub(r"(?m)^([ \t]*)//.*$", lambda m: " " * len(m.group()), source)
    starts = [0] + [m.end() for m in re.finditer("\n", source)]
    for m in LITERAL.finditer(plain):
        multi = m.group(1) is not None
        value = m.group(1) if multi else m.group(2)
        begin = m.start(1) if multi else m.start(2)
        if not WORDY.search(re.sub(r"\\\(.*?\)", "x", value)): continue
        if len(value.split()) > 40 and not re.search(r"[.,;:]", value): continue
        if re.search(r"; then\b|\bfi\b|\$\{|\blocal \w+=|compgen", value): continue
        if re.search(r"/(?:Benchmarks|Demo/Server)/", path) or re.search(r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WHERE|FROM)\b", value): continue
        before = plain[max(0, m.start() - 260):m.start()]
        tail = re.findall(r"(abstract|discussion|help):\s*(?:ArgumentHelp\()?\s*$|(?:abstract|discussion|help):", before)
        near = re.search(r"(?:abstract|discussion|help):\s*(?:ArgumentHelp\(\s*)?$", before)
        flag = re.search(r"@(?:Option|Flag|Argument)\([^@]*$", before)
        if "/Settings/" in path and re.search(r"(?:SettingRow|Setting)\((?:(?!\n  \}).)*$", before, re.S) and not re.search(r"report\(\s*[^)]*$", before): kind = "setting"
        elif near or flag or (multi and re.search(r"discussion:", before)): kind = "help"
        else: kind = "text"
        line = bisect.bisect_right(starts, begin)
        parts, hold = [], []
        for k, row in enumerate(value.split("\n")):
            row = row.strip().rstrip("\\").rstrip()
            if not row or re.match(r"(?:reddot|curl|echo|ssh|eval|PS1|set -g|\"custom|df -h|some-tool|\* \* \*|command=)", row) or row.isupper() or re.match(r"EXAMPLES?:", row):
                if hold: yield Segment(path, kind, hold); hold = []
                continue
            hold.append((line + k, row.replace('\\"', '"')))
        if hold: yield Segment(path, kind, hold)

def strings(path, source):
    for m in re.finditer(r'^"([^"]+)"\s*=\s*"((?:[^"\\]|\\.)*)";', source, re.M | re.S):
        line = source.count("\n", 0, m.start(2)) + 1
        for variant in m.group(2).split("|") if "\n" not in m.group(2) else [m.group(2)]:
            for k, row in enumerate(variant.split("\n")):
                row = re.sub(r"^\s*(?:#+|-|\|)\s*", "", row).replace('\\"', '"')
                if WORDY.search(row) or len(row.split()) > 1: yield Segment(path, "ui", [(line + k, row)])

def markdown(path, source):
    fence, hold, start = False, [], None
    def flush():
        nonlocal hold
        segment = Segment(path, "page", hold) if hold else None
        hold = []
        return segment
    for number, row in enumerate(source.split("\n"), 1):
        s = row.strip()
        if s.startswith("```"): fence = not fence; s = ""
        elif fence: continue
        if not s or s.startswith(("#", "<!--", "@")):
            if hold: yield flush()
            continue
        if s.startswith("|"):
            if hold: yield flush()
            if re.match(r"^\|[-| :]+$", s): continue
            for cell in re.split(r"(?<!\\)\|", s.strip("|")):
                if WORDY.search(cell): yield Segment(path, "page", [(number, cell.strip())])
            continue
        item = re.match(r"(?:[-*]|\d+\.) +", s)
        if item:
            if hold: yield flush()
            s = s[item.end():]
        if s.endswith("\\"):
            hold.append((number, s.rstrip("\\"))); yield flush(); continue
        hold.append((number, s))
    if hold: yield flush()

def segments(path):
    with open(path, encoding="utf-8") as file: source = file.read()
    if path.endswith(".swift"): found = swift(path, source)
    elif path.endswith(".strings"): found = strings(path, source)
    else: found = markdown(path, source)
    rows = source.split("\n")
    for segment in found:
        if "/Tests/" in f"/{path}" and segment.kind not in CODE: continue
        if not any(re.search(r"prose:ok: \w", rows[n - 1]) for n in segment.lines if n <= len(rows)): yield segment

# ---------------------------------------------------------------- checking

STOP = set("a an the of in on to for and or its it is are was be that this with by from as at which one all any some".split())

def stems(words): return {re.sub(r"(?:ies|es|s|ed|ing)$", "", w) for w in words if w not in STOP and len(w) > 1}

def repeats_name(text, declaration):
    """Whether each word of a short comment is in the declaration's name or type."""
    if not declaration or "`" in text or ";" in text or ":" in text or re.search(r"\d", text): return False
    words = re.findall(r"[a-z]+", text.lower())
    if not 1 <= len(words) <= 8: return False
    head = re.split(r"[{=]", declaration)[0]
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", head)
    return bool(stems(words)) and stems(words) <= stems(p.lower() for p in parts)

def findings(segment, wanted):
    covered = cover(segment.text)
    for at, sentence in sentences(covered):
        lead = len(sentence) - len(sentence.lstrip(" \"“(*"))
        body = sentence[lead:]
        first = at == 0
        for name, group, kinds, regex, hint in PATTERNS:
            if name not in wanted or segment.kind not in kinds: continue
            if name == "long":
                if len(re.findall(r"[\w'`]+", body)) > 30: yield name, segment.line(at + lead), body, hint
            elif name == "repeats-name":
                if first and repeats_name(segment.text, segment.follows): yield name, segment.line(0), body, hint
            elif name in ("pronoun-start", "prep-start", "how-start") and not first: continue
            else:
                m = regex.search(body)
                if m: yield name, segment.line(at + lead + m.start()), segment.text[at + lead:at + len(sentence)], hint

def room(path):
    parts = path.split("/")
    if path.endswith(".md"): return "pages"
    if path.endswith(".strings"): return "en.lproj"
    return parts[parts.index("Sources") + 1] if "Sources" in parts and parts.index("Sources") + 1 < len(parts) else parts[0]

TOPS = ("Package.swift", "README.md", "Resources", "Sources", "Tests")

def default_files():
    for top in TOPS:
        if os.path.isfile(top): yield top
        for folder, folders, names in os.walk(top):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(".swift") or top != "Tests" and (name.endswith(".md") or path.endswith("en.lproj/Localizable.strings")): yield path

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*"); parser.add_argument("--counts", action="store_true")
    parser.add_argument("--only", default=""); parser.add_argument("--kinds", default="")
    parser.add_argument("--list", action="store_true"); parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, group, kinds, _, hint in PATTERNS: print(f"{name:16} {group}  {hint}")
        return
    wanted = set(options.only.split(",")) if options.only else {p[0] for p in PATTERNS} - (set() if options.counts else DISABLED)
    kinds = set(options.kinds.split(",")) if options.kinds else set(KINDS)
    names = [f for f in options.files if f.endswith((".swift", ".md", "en.lproj/Localizable.strings"))] if options.files else default_files()
    table, rooms, lines, total = collections.Counter(), collections.Counter(), collections.defaultdict(set), collections.Counter()
    for path in names:
        if not os.path.exists(path): continue
        for segment in segments(path):
            if segment.kind not in kinds: continue
            total[segment.kind] += 1
            for name, line, text, hint in findings(segment, wanted):
                table[name, segment.kind] += 1
                if name not in DISABLED: rooms[room(path), segment.kind] += 1; lines[room(path)].add((path, line))
                if not options.counts: print(f"{path}:{line}: [{name}] {' '.join(text.split())[:150]}  -> {hint}")
    if options.counts:
        used = [k for k in KINDS if k in kinds]
        print(f"{'pattern':16}" + "".join(f"{k:>9}" for k in used) + f"{'all':>9}")
        for name, *_ in PATTERNS:
            if name in wanted: print(f"{name:16}" + "".join(f"{table[name, k]:9}" for k in used) + f"{sum(table[name, k] for k in used):9}")
        print(f"\n{'segments read':16}" + "".join(f"{total[k]:9}" for k in used) + f"{sum(total.values()):9}")
        print(f"\n{'target':18}" + "".join(f"{k:>9}" for k in used) + f"{'places':>9}")
        for name in sorted(lines): print(f"{name:18}" + "".join(f"{rooms[name, k]:9}" for k in used) + f"{len(lines[name]):9}")
        print(f"{'all':18}" + "".join(f"{sum(rooms[r, k] for r in lines):9}" for k in used) + f"{sum(map(len, lines.values())):9}")
    if options.strict and sum(table.values()): sys.exit(1)

if __name__ == "__main__":
    try: main()
    except BrokenPipeError: os._exit(0)
