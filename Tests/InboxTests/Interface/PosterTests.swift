import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// A message's picture: fetched on opening, drawn if the terminal can, otherwise mentioned.
struct PosterTests {
  private static let address = "https://pictures.example/lamp.png"

  private func stage(columns: Int = 80, rows: Int = 24, shows: Bool = true, poster: String = address) -> Stage
  {
    var store = ModelStore()
    store.addSource("team", kind: .native)
    store.add("Other", age: 120)
    store.add("Greeting", age: 60, body: "Light to you") {
      $0.content.extras = MessageExtras()
      $0.content.extras?.poster = poster
    }
    return Stage(
      amid: store, columns: columns, rows: rows,
      options: InterfaceOptions(zone: Stage.utc, showsPictures: shows))
  }

  private func asked(_ stage: Stage) -> [PictureRequest] {
    stage.effects.compactMap { if case .pictures(.draw(let request)) = $0 { request } else { nil } }
  }

  private static let red = StyledText("▄▄▄▄", style: Style(foreground: .rgb(255, 0, 0)))

  @Test func itIsFetchedWhenTheMessageIsOpenedAndNotForThePreview() throws {
    var stage = stage(columns: 150, rows: 40)
    #expect(stage.state.shown.reader.message?.content.title == "Greeting")
    #expect(asked(stage) == [])
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    #expect(request.address == Self.address)
    #expect(request.columns <= LayoutOptions.standardTextWidth && request.rows <= 24)
    #expect(stage.screen.contains("Loading the picture"))
    stage.send(.pictures(.answered(request, .drawn([Self.red, Self.red]))))
    #expect(stage.screen.contains("▄▄▄▄") && !stage.screen.contains("Loading"))
    #expect(stage.screen.contains("Image  \(Self.address)"), "its link stays")
    #expect(asked(stage).count == 1, "what is drawn is not asked for again")
  }

  @Test func aResizeDrawsItAgainAndIgnoresTheOldDrawing() throws {
    var stage = stage(columns: 150, rows: 40)
    try stage.press("enter")
    let first = try #require(asked(stage).last)
    stage.send(.pictures(.answered(first, .drawn([Self.red]))))
    stage.send(.input(.resize(Size(columns: 40, rows: 24))))
    let second = try #require(asked(stage).last)
    #expect(second.columns < first.columns && second.address == first.address)
    stage.send(.pictures(.answered(first, .drawn([StyledText(SafeText("x", count: 70))]))))
    #expect(!stage.screen.contains("xxx"))
    stage.send(.pictures(.answered(second, .drawn([Self.red]))))
    #expect(stage.screen.contains("▄▄▄▄"))
  }

  @Test(arguments: [
    (PictureFailure.unknownFormat, "No picture: it is not a PNG"), (.noDecoder, "No picture: chafa"),
    (.tooLarge, "No picture: it has more than"), (.undecodable, "No picture: it is damaged"),
    (.fetch(.nameNotFound(host: "pictures.example")), "No picture: No server named pictures.example"),
  ])
  func whatCannotBeShownSaysWhy(_ failure: PictureFailure, _ sentence: String) throws {
    var stage = stage()
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    stage.send(.pictures(.answered(request, .failed(failure))))
    #expect(stage.screen.contains(sentence) && stage.screen.contains("Light to you"))
    #expect(stage.screen.contains(Self.address))
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "data:image/gif;base64,AA==", "data:text/html,x",
    "mailto:a@b",
    "",
  ])
  func onlyWebAddressesAreFetched(_ poster: String) throws {
    var stage = stage(poster: poster)
    try stage.press("enter")
    #expect(asked(stage) == [])
  }

  /// The picture isn't enlarged, and isn't a link.
  @Test func aPictureThatCameWithItsMessageIsDrawn() throws {
    let address = PictureData(png: Data([1, 2, 3])).address
    var stage = stage(poster: address)
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    #expect(request.address == address && request.isInText)
    #expect(!stage.screen.contains("data:") && !stage.screen.contains("Image"))
    stage.send(.pictures(.answered(request, .drawn([Self.red]))))
    #expect(stage.screen.contains("▄▄▄▄"))
  }

  @Test func withoutColoursNothingIsFetchedAndTheLinkIsOffered() throws {
    var stage = stage(shows: false)
    try stage.press("enter")
    #expect(asked(stage) == [] && stage.screen.contains("Image  \(Self.address)"))
  }

  @Test(arguments: [(20, 5), (8, 20), (1, 1), (0, 0)])
  func aScreenThatIsTooSmallRequestsNothing(_ columns: Int, _ rows: Int) throws {
    var stage = stage(columns: columns, rows: rows)
    try stage.press("enter")
    #expect(asked(stage) == [])
  }

  @Test func theNextMessageHasNothingOfIt() throws {
    var stage = stage()
    try stage.press("enter")
    let request = try #require(asked(stage).first)
    stage.send(.pictures(.answered(request, .drawn([Self.red]))))
    try stage.press("h", "j", "enter")
    #expect(!stage.screen.contains("▄▄▄▄"))
    stage.send(.pictures(.answered(request, .drawn([Self.red]))))
    #expect(!stage.screen.contains("▄▄▄▄"))
  }
}
