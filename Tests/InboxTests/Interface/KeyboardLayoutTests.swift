import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

struct KeyboardLayoutTests {
  /// The letters of the three rows of keyboards, from the key q on, and their counterparts on a US keyboard.
  @Test(arguments: [
    ("йцукенгшщзхъ", "qwertyuiop[]"), ("фывапролджэ", "asdfghjkl;'"), ("ячсмитьбю", "zxcvbnm,."),
    ("ЙЦУКЕНГШЩЗХЪ", "QWERTYUIOP{}"), ("ФЫВАПРОЛДЖЭ", "ASDFGHJKL:\""), ("ЯЧСМИТЬБЮ", "ZXCVBNM<>"),
    ("їіє", "]s'"), ("ЇІЄ", "}S\""), ("ў", "o"), ("Ў", "O"), ("ё", "`"),
    ("ςερτυθιοπ", "wertyuiop"), ("ασδφγηξκλ", "asdfghjkl"), ("ζχψωβνμ", "zxcvbnm"),
    ("ΑΣΔΦΓΗΞΚΛ", "ASDFGHJKL"), ("ΖΧΨΩΒΝΜ", "ZXCVBNM"),
    ("קראטוןםפ", "ertyuiop"), ("שדגכעיחלךף", "asdfghjkl;"), ("זסבהנמצתץ", "zxcvbnm,."),
    ("ضصثقفغعهخحجد", "qwertyuiop[]"), ("شسيبلاتنمكط", "asdfghjkl;'"), ("ئءؤر", "zxcv"), ("یپ", "dm"),
    ("ๆไำพะัีรนยบล", "qwertyuiop[]"), ("ฟหกดเ้่าสวง", "asdfghjkl;'"), ("ผปแอิืทมใ", "zxcvbnm,."),
    ("ฎฑธํ๊ณฯญ", "ERTYUIOP"), ("ฤฆฏโฌ็๋ษศ", "ASDFGHJKL"),
    ("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ", "qwertyuiop"), ("ㅁㄴㅇㄹㅎㅗㅓㅏㅣ", "asdfghjkl"), ("ㅋㅌㅊㅍㅠㅜㅡ", "zxcvbnm"),
    ("ㅃㅉㄸㄲㅆㅒㅖ", "QWERTOP"),
  ])
  func aLetterIsTheKeyInItsPlace(letters: String, keys: String) {
    let found = letters.unicodeScalars.map { KeyboardLayout.key(inPlaceOf: Character($0)) }
    #expect(found.map { $0.map(String.init) ?? "-" }.joined() == keys)
  }

  @Test func everyRowHasOneLetterForEachKeyAndNoneInASCII() {
    for row in KeyboardLayout.rows {
      #expect(row.usual.unicodeScalars.count == 35, "\(row.name)")
      #expect([0, 35].contains(row.shifted.unicodeScalars.count), "\(row.name)")
      #expect((row.usual + row.shifted).unicodeScalars.allSatisfy { !$0.isASCII || $0 == "_" }, "\(row.name)")
    }
  }

  @Test(arguments: ["q", "é", "ß", "ñ", "中", "あ", "👍", "1", "?"])
  func otherCharactersAreThemselves(text: String) {
    #expect(KeyboardLayout.key(inPlaceOf: Character(text)) == nil)
  }

  // MARK: In the inbox

  private static func stage(_ keymap: Keymap = .standard) -> Stage {
    Stage(columns: 80, rows: 24, options: InterfaceOptions(keymap: keymap, zone: Stage.utc))
  }

  @Test func commandsWorkInAnotherScript() throws {
    var stage = Self.stage()
    let first = stage.selectedTitle
    try stage.press("о")  // j
    #expect(stage.selectedTitle != first)
    try stage.press("л")  // k
    #expect(stage.selectedTitle == first)
    try stage.press("Щ")  // O
    #expect(stage.state.shown.list.query.order == .oldest)
    try stage.press("й")  // q
    #expect(stage.effects.last == .quit)
  }

  @Test func aKeyOfTheSettingsGoesFirst() throws {
    var stage = Self.stage(Keymap.with(overrides: ["help": ["й"]]).keymap)
    try stage.press("й")
    #expect(stage.state.dialog.overlay == .help)
    try stage.press("й")
    #expect(stage.state.dialog.overlay == nil && !stage.effects.contains(.quit))
  }

  @Test func aProgramsKeyIsFoundToo() throws {
    let program = BoundProgram(key: KeyPress("b"), template: ProgramTemplate(["sync"]))
    var stage = Self.stage(Keymap.with(overrides: [:], programs: [program]).keymap)
    try stage.press("и")
    #expect(stage.effects.contains(.programs(.run(["sync"], inTerminal: false))))
  }

  @Test func theSettingTurnsItOff() throws {
    var stage = Self.stage(Keymap.with(overrides: [:], usesLayouts: false).keymap)
    try stage.press("й")
    #expect(!stage.effects.contains(.quit))
    #expect(stage.bottom.contains("й does nothing here."))
  }

  @Test func whatIsTypedStaysAsItIs() throws {
    var stage = Self.stage()
    try stage.press("/")
    stage.type("йщ")
    #expect(stage.bottom.contains("Search: йщ"))
  }
}
