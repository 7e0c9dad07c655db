import Screen
import Testing

@Suite struct KeyPressTests {
  @Test(arguments: [
    ("j", KeyPress("j")), ("G", KeyPress("G")), ("?", KeyPress("?")), ("-", KeyPress("-")),
    ("space", KeyPress(" ")), ("é", KeyPress("é")),
    ("ctrl-l", KeyPress("l", .control)), ("alt-x", KeyPress("x", .alt)), ("alt-X", KeyPress("X", .alt)),
    ("ctrl--", KeyPress("-", .control)),
    ("ctrl-alt-del", KeyPress(.delete, [.control, .alt])), ("ctrl-space", KeyPress(" ", .control)),
    ("pgdn", KeyPress(.pageDown)),
    ("f5", KeyPress(.function(5))), ("f12", KeyPress(.function(12))), ("enter", KeyPress(.enter)),
    ("esc", KeyPress(.escape)),
    ("backtab", KeyPress(.backTab)), ("up", KeyPress(.up)), ("shift-up", KeyPress(.up, .shift)),
    ("backspace", KeyPress(.backspace)),
    ("home", KeyPress(.home)), ("ins", KeyPress(.insert)), ("tab", KeyPress(.tab)),
    ("del", KeyPress(.delete)),
  ])
  func namesAreReadAndWritten(_ name: String, _ key: KeyPress) {
    #expect(KeyPress(parsing: name) == key)
    #expect(key.name == name)
  }

  @Test(arguments: [
    ("Ctrl-L", "ctrl-l"), ("C-l", "ctrl-l"), ("shift-g", "G"), ("shift-tab", "backtab"), ("PageDown", "pgdn"),
    ("Return", "enter"),
    ("ESCAPE", "esc"), ("delete", "del"), ("F5", "f5"), ("m-x", "alt-x"), ("alt-ctrl-a", "ctrl-alt-a"),
  ])
  func otherSpellingsMeanTheSame(_ name: String, _ usual: String) {
    #expect(KeyPress(parsing: name)?.name == usual)
  }

  @Test(arguments: ["", " ", "jj", "ctrl-", "hyper-x", "f0", "f64", "f+5", "\u{1B}", "\t", "pgdnx"])
  func whatNamesNoKeyIsRefused(_ name: String) {
    #expect(KeyPress(parsing: name) == nil)
  }
}
