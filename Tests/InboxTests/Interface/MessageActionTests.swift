import Foundation
import Messages
import Screen
import Testing

@testable import Interface

struct MessageActionTests {
  private static let request = MessageAction(
    label: "Close the garage", url: "https://home.example/garage",
    request: ActionRequest(method: "PUT", body: "close"))
  private static let mute = MessageAction(label: "Mute", url: "", upstream: "mute")

  /// - Parameter isSentBack: whether the settings allow acts to be sent to the service.
  private static func store(
    _ actions: MessageAction..., html: String? = nil, isSentBack: Bool = true
  ) -> ModelStore {
    var store = ModelStore()
    store.addSource("a")
    store.sources[0].source.settings.writableMarks = isSentBack ? [.snooze] : []
    store.add("Garage", age: 1) {
      $0.content.html = html
      var extras = MessageExtras()
      extras.actions = actions
      $0.content.extras = extras
    }
    return store
  }

  private func performed(_ stage: Stage) -> [MessageAction] {
    stage.effects.compactMap { if case .links(.perform(let action, _)) = $0 { action } else { nil } }
  }

  @Test func anActionThatSendsIsAskedAboutWithItsMethodAndAddress() throws {
    var stage = Stage(amid: Self.store(Self.request), columns: 80, rows: 24)
    try stage.press("enter", "o")
    #expect(stage.bottom.contains("Send PUT https://home.example/garage? enter yes, tab all of it, esc no"))
    #expect(performed(stage).isEmpty)
    try stage.press("enter")
    #expect(performed(stage) == [Self.request])
    stage.send(.links(.actionEnded(Self.request, nil)))
    #expect(stage.bottom.contains("Close the garage: sent"))
  }

  /// A key that was typed before the question was there, and waited for the message, does not answer it.
  @Test(arguments: [
    Self.request, Self.mute, Self.long(String(repeating: "a.very.long.host.", count: 9) + "example"),
  ])
  func aKeyThatWasTypedBeforeTheQuestionDoesNotAnswerIt(action: MessageAction) throws {
    var stage = Stage(amid: Self.store(action), columns: 80, rows: 24)
    var effects = update(&stage.state, .input(.key(KeyPress("o"))))
    effects += update(&stage.state, .input(.key(KeyPress(.enter))))
    effects += update(&stage.state, .timeChanged(stage.state.now + 0.1))
    stage.carryOut(effects)
    #expect(
      performed(stage).isEmpty && (stage.state.shownQuestion != nil || stage.state.dialog.overlay != nil))
    try stage.press("enter")
    #expect(performed(stage) == [action])
  }

  @Test func aPasteDropsTheQuestion() throws {
    var stage = Stage(amid: Self.store(Self.request), columns: 80, rows: 24)
    try stage.press("enter", "o")
    stage.send(.input(.paste("https://new.example/feed")))
    #expect(stage.state.dialog.prompt?.editor.text == "https://new.example/feed")
    #expect(stage.state.dialog.question == nil)
    try stage.press("esc", "enter")
    #expect(performed(stage).isEmpty)
    // Text that is no URL causes no question, and drops the earlier one too.
    try stage.press("o")
    stage.send(.input(.paste("some words")))
    try stage.press("enter")
    #expect(performed(stage).isEmpty)
  }

  private static func long(_ host: String, port: String = "") -> MessageAction {
    MessageAction(
      label: "Open", url: "https://\(host)\(port)/" + String(repeating: "path/", count: 60),
      request: ActionRequest(
        method: "POST", headers: ["X-Token": "abc", "Accept": "text/plain"], body: "first\nlast line"))
  }

  @Test func whomItGoesToIsShownWholeHoweverLongTheAddressIs() throws {
    var stage = Stage(amid: Self.store(Self.long("home.example", port: ":8443")), columns: 80, rows: 24)
    try stage.press("enter", "o")
    #expect(stage.bottom.contains("Send POST https://home.example:8443/"))
    #expect(stage.bottom.contains("enter yes, tab all of it, esc no"))
    // Headers and body on demand, and Enter sends there too.
    try stage.press("tab")
    for text in [
      "https://home.example:8443", "path/path/", "X-Token: abc", "Accept: text/plain", "last line",
    ] {
      #expect(stage.screen.contains(text))
    }
    #expect(stage.bottom.contains("POST? enter yes, esc no"))
    try stage.press("esc", "enter")
    #expect(performed(stage).isEmpty)
    try stage.press("o", "tab", "enter")
    #expect(performed(stage).count == 1)
  }

  @Test func aHostThatDoesNotFitIntoTheLineIsShownOnAPage() throws {
    let host = (1...12).map { "a-long-label-\($0)" }.joined(separator: ".") + ".evil.example"
    var stage = Stage(amid: Self.store(Self.long(host)), columns: 80, rows: 24)
    try stage.press("enter", "o")
    #expect(stage.screen.contains("evil.example"))
    #expect(performed(stage).isEmpty)
    // Other keys that open something do not send.
    try stage.press("l")
    #expect(performed(stage).isEmpty)
    try stage.press("o", "enter")
    #expect(performed(stage).count == 1)
  }

  @Test(arguments: [
    ("https://bank.example@evil.example/x", "https://evil.example", "/x"),
    ("https://a.example:8443?q", "https://a.example:8443", "?q"),
    ("https://a.example\\@evil.example/", "https://a.example\\@evil.example", "/"),
    ("https://[::1]:80#f", "https://[::1]:80", "#f"), ("nonsense", "nonsense", ""),
  ])
  func anAddressIsWhomItGoesToAndTheRest(address: String, origin: String, rest: String) {
    #expect(RequestAddress(address).origin == origin && RequestAddress(address).rest == rest)
  }

  @Test(arguments: ["esc", "j", "n", "x"]) func anyOtherKeySendsNothing(key: String) throws {
    var stage = Stage(amid: Self.store(Self.request), columns: 80, rows: 24)
    try stage.press("enter", "o")
    #expect(stage.bottom.contains("Send PUT"))
    try stage.press(key, "enter")
    #expect(performed(stage).isEmpty)
  }

  @Test func aLinkOfTheTextCannotHideWhatIsSent() throws {
    let html = "<p><a href=\"reddot:action/0\">a harmless page</a></p>"
    var stage = Stage(amid: Self.store(Self.request, html: html), columns: 80, rows: 24)
    try stage.press("enter", "o")
    if !stage.bottom.contains("Send PUT") { stage.type("1") }
    #expect(stage.bottom.contains("Send PUT https://home.example/garage?"))
    #expect(performed(stage).isEmpty)
  }

  @Test(arguments: ["reddot:action/7", "reddot:action/-1", "reddot:action/x"])
  func anActionThatIsNotThereDoesNothing(address: String) throws {
    let html = "<p><a href=\"\(address)\">a</a></p>"
    var stage = Stage(amid: Self.store(html: html), columns: 80, rows: 24)
    try stage.press("enter", "o")
    try stage.press("enter")
    #expect(performed(stage).isEmpty)
  }

  @Test func anActionOfTheServiceIsQueued() throws {
    var stage = Stage(amid: Self.store(Self.mute), columns: 80, rows: 24)
    try stage.press("enter", "o")
    #expect(stage.bottom.contains("Mute? U can't undo it. enter yes, esc no"))
    try stage.press("enter")
    #expect(performed(stage) == [Self.mute])
    stage.send(.links(.actionEnded(Self.mute, nil)))
    #expect(stage.bottom.contains("Mute: on its way to the service"))
  }

  // MARK: The key that mutes

  /// Three messages, of which the one in the middle is a thread with several actions.
  private static func thread(isSentBack: Bool = true) -> ModelStore {
    store(
      MessageAction(label: "Page", url: "https://hub.example/1"), mute, request, isSentBack: isSentBack)
  }

  @Test(arguments: [80, 150])
  func aThreadIsMutedAfterAQuestion(columns: Int) throws {
    for keys in [["m"], ["enter", "m"]] {
      var stage = Stage(amid: Self.thread(), columns: columns, rows: 24)
      for key in keys { try stage.press(key) }
      #expect(stage.bottom.contains("Mute? U can't undo it. enter yes, esc no"))
      #expect(performed(stage).isEmpty)
      try stage.press("enter")
      #expect(performed(stage) == [Self.mute])
      #expect(
        stage.effects.contains { if case .links(.perform(_, of: MessageID(1))) = $0 { true } else { false } })
      // Nothing else was done with the message, and nothing can be undone.
      #expect(stage.acts.allSatisfy { $0.kind == .read })
    }
  }

  @Test(arguments: ["esc", "j", "m"]) func anotherKeyMutesNothing(key: String) throws {
    var stage = Stage(amid: Self.thread(), columns: 80, rows: 24)
    try stage.press("m", key)
    #expect(performed(stage).isEmpty)
    try stage.press("esc", "enter")
    #expect(performed(stage).isEmpty)
  }

  @Test func aMessageThatIsNoThreadIsNotMuted() throws {
    var stage = Stage(amid: Self.store(Self.request), columns: 80, rows: 24)
    try stage.press("m")
    #expect(stage.bottom.contains("This message belongs to no thread that can be muted."))
    try stage.press("enter")
    #expect(performed(stage).isEmpty)
    // Nor its neighbours, which have no actions.
    try stage.press("esc", "j", "m")
    #expect(stage.bottom.contains("This message belongs to no thread that can be muted."))
  }

  @Test func aSourceThatSendsNothingBackMutesNothing() throws {
    var stage = Stage(amid: Self.thread(isSentBack: false), columns: 80, rows: 24)
    try stage.press("m")
    #expect(stage.bottom.contains("Mute is not sent: write_back is off for a."))
    try stage.press("enter")
    #expect(performed(stage).isEmpty)
  }

  @Test func aFailureIsTold() throws {
    var stage = Stage(amid: Self.store(Self.request), columns: 80, rows: 24)
    try stage.press("enter", "o", "enter")
    #expect(performed(stage) == [Self.request])
    stage.send(.links(.actionEnded(Self.request, .status(500, reason: ""))))
    #expect(stage.bottom.contains("Close the garage failed: "))
    #expect(stage.bottom.contains("500"))
  }

  @Test func aResolvedMessageSaysWhen() throws {
    var store = Self.store()
    store.messages[0].resolved = Date(timeIntervalSince1970: 0)
    var stage = Stage(amid: store, columns: 80, rows: 24)
    try stage.press("enter")
    #expect(stage.screen.contains("resolved "))
  }
}
