import Basics
import Screen
import Testing

@testable import Interface

struct LineEditorTests {
  private func editor(_ text: String, _ keys: [KeyPress]) -> LineEditor {
    var editor = LineEditor(text)
    for key in keys { _ = editor.press(key) }
    return editor
  }

  @Test func itEditsLikeAShell() {
    #expect(editor("abc", [KeyPress(.left), KeyPress("x")]).text == "abxc")
    #expect(editor("abc", [KeyPress(.home), KeyPress(.delete)]).text == "bc")
    #expect(editor("abc", [KeyPress(.backspace)]).text == "ab")
    #expect(editor("one two  ", [KeyPress("w", .control)]).text == "one ")
    #expect(editor("one two", [KeyPress(.left), KeyPress("u", .control)]).text == "o")
    #expect(editor("one two", [KeyPress("a", .control), KeyPress("k", .control)]).text == "")
    #expect(editor("", [KeyPress(.backspace), KeyPress(.delete), KeyPress(.left)]).text == "")
  }

  @Test func aCharacterIsWhatAPersonSees() {
    #expect(editor("e\u{301}👨‍👩‍👧", [KeyPress(.backspace), KeyPress(.backspace)]).text == "")
    #expect(LineEditor("消息").shown.cursorColumn == 4)
  }

  @Test func whatIsPastedStaysOneLineOfReasonableLength() {
    var editor = LineEditor()
    editor.insert("a\r\nb\nc" + String(repeating: "x", count: 10_000))
    #expect(editor.text.hasPrefix("a b c"))
    #expect(editor.text.count == Limits.editedCharacters)
    #expect(LineEditor("\u{1B}[31m").shown.text.text == "\u{FFFD}[31m")
  }

  @Test func keysWithoutMeaningAreReported() {
    var editor = LineEditor("a")
    let isEdited = [KeyPress(.function(3)), KeyPress("x", .alt)].map { editor.press($0) }
    #expect(isEdited == [false, false])
    #expect(editor.text == "a")
  }
}
