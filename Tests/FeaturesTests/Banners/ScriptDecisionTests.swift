import Basics
import Markup
import Testing

@testable import Banners

struct ScriptDecisionTests {
  private func decide(_ calls: ScriptCall..., views: [String] = ["main", "big"]) -> ScriptDecision {
    ScriptDecision(calls, views: views)
  }

  @Test func everythingThatIsAllowedIsDoneInItsOrder() {
    let decision = decide(
      .setText(element: "a", "x"), .setFlag(name: "f", value: "yes"), .setHidden(element: "b", true),
      .setFlag(name: "f", value: "0"), .openURL("https://a.example/"), .setHTML(element: "a", "<b>"),
      .setClickable(element: "a", true), .display("big"))
    #expect(
      decision.changes == [
        .text(element: "a", "x"), .hidden(element: "b", true), .html(element: "a", "<b>"),
        .clickable(element: "a", true),
      ])
    #expect(decision.flags == [.init(name: "f", isSet: true), .init(name: "f", isSet: false)])
    #expect(decision.address == "https://a.example/")
    #expect(decision.view == "big" && !decision.isClosed && decision.refusals.isEmpty)
  }

  @Test func afterACloseOnlyAnAddressIsRequested() {
    let decision = decide(
      .setFlag(name: "a", value: "1"), .close, .setFlag(name: "b", value: "1"), .display("big"),
      .openURL("https://a.example/"), .display("none"))
    #expect(decision.isClosed && decision.flags.map(\.name) == ["a"])
    #expect(decision.view == nil && decision.refusals.isEmpty)
    #expect(decision.address == "https://a.example/")
  }

  @Test func anUnknownViewIsRefusedAndTheCurrentOneStays() {
    #expect(decide(.display("none")).refusals == [.unknownView("none")])
    #expect(decide(.display("none")).view == nil)
    #expect(decide(.display("e\u{301}"), views: ["é"]).refusals == [.unknownView("e\u{301}")])
    #expect(decide(.display("big"), .display("none")).view == "big")
  }

  @Test func aPageThatWasLeftIsNotChanged() {
    #expect(decide(.display("big"), .setText(element: "a", "x")).changes.isEmpty)
    #expect(decide(.display("none"), .setText(element: "a", "x")).changes.count == 1)
  }

  @Test(arguments: [
    ("http://a.example", "http://a.example"), ("HTTPS://a.example/ä b", "HTTPS://a.example/%C3%A4%20b"),
    ("  https://a.example/", "https://a.example/"), ("reddot:source/team news", "reddot:source/team%20news"),
    ("reddot:message/17", "reddot:message/17"), ("https://a.example/\u{1b}[2J", "https://a.example/%1B[2J"),
    ("reddot:message/x", nil), ("reddot:source/", nil), ("reddot:remove/x", nil), ("mailto:a@b.example", nil),
    ("javascript:close()", nil), ("file:///etc/passwd", nil), ("https:a.example", nil), ("https://", nil),
    ("https://:80/", nil), ("https://user@/", nil), ("//a.example/", nil), ("page.html", nil), ("", nil),
    ("-rf", nil), ("data:text/html,x", nil),
  ])
  func onlyWebAddressesAndOurOwnAreOpened(text: String, address: String?) {
    #expect(decide(.openURL(text)).address == address)
    #expect(decide(.openURL(text)).refusals == (address == nil ? [.address(text)] : []))
  }

  @Test func oneAddressIsOpenedAnEvent() {
    let decision = decide(.openURL("https://a.example/"), .openURL("https://b.example/"))
    #expect(decision.address == "https://a.example/")
    #expect(decision.refusals == [.address("https://b.example/")])
  }

  @Test(arguments: [("f", "maybe"), (String(repeating: "f", count: 201), "1")])
  func flagsThatCannotBeAreRefused(name: String, value: String) {
    let decision = decide(.setFlag(name: name, value: value))
    #expect(decision.flags.isEmpty && decision.refusals == [.flag(name)])
  }

  @Test func aHostileListIsBounded() {
    let unknown = (0..<1000).map { ScriptCall.display("none\($0)") }
    #expect(ScriptDecision(unknown, views: []).refusals.count == 5)
    let long = String(repeating: "x", count: Limits.scriptTextBytes + 1)
    #expect(decide(.setText(element: "a", long), .setHTML(element: "a", long)).changes.isEmpty)
  }
}
