import Testing

@testable import Screen

struct StyleNameTests {
  @Test(arguments: [
    ("red", Color.ansi(1)), ("Bright-Blue", .ansi(12)), ("default", .terminal), ("0", .indexed(0)),
    ("255", .indexed(255)), ("#ff8700", .rgb(255, 135, 0)), ("#FFFFFF", .rgb(255, 255, 255)),
  ])
  func aColourIsANameANumberOrItsParts(name: String, color: Color) {
    #expect(Color(parsing: name) == color)
  }

  @Test(arguments: [
    "", "reddish", "256", "-1", "007", "+7", "#fff", "#ff870", "#ff87000", "#gg0000", "#", "rgb(1,2,3)",
    "bright",
    "#-1ffff", "１",
  ])
  func otherTextsThanColoursAreRefused(name: String) {
    #expect(Color(parsing: name) == nil)
  }

  @Test(arguments: [
    ("bold", Style.bold), ("cyan  underline", Style(foreground: .ansi(6), attributes: .underline)),
    ("underline cyan", Style(foreground: .ansi(6), attributes: .underline)),
    ("33", Style(foreground: .indexed(33))),
    ("on yellow", Style(background: .ansi(3))), ("default", .plain),
    (
      "#000000 on 228 bold reverse",
      Style(foreground: .rgb(0, 0, 0), background: .indexed(228), attributes: [.bold, .reverse])
    ),
  ])
  func aStyleIsColoursAndAttributes(text: String, style: Style) {
    #expect(Style(parsing: text) == style)
  }

  @Test(arguments: ["", " ", "red blue", "on", "red on", "red on blue on green", "bold blinking", "red,bold"])
  func otherTextsThanStylesAreRefused(text: String) {
    #expect(Style(parsing: text) == nil)
  }
}
