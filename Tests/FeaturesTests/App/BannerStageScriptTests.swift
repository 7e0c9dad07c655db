import Formats
import Foundation
import Markup
import Messages
import TestBasics
import Testing

@testable import Banners
@testable import Profile
@testable import Storage

/// The calls of views' scripts, and their handling by the stage, with the real engine.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct BannerStageScriptTests {
  private static let main = "http://banners.example/main.html"
  private static let big = "http://banners.example/big.html"
  private static let control = """
    {"b": {"entry": "main", "conditions": {"all": {"flagNotSet": "never"}}, "views": {
      "main": {"file": "\(main)", "height": 64}, "big": {"file": "\(big)", "origin": "top"}}},
     "next": {"entry": "v", "views": {"v": {"file": "\(big)", "height": 16}}}}
    """
  private static let raised = ["raised team/b/main 4 bottom", "page"]

  /// A harness whose banner is shown and laid out at 80 columns.
  private func harness(
    main: String, big: String = "<p id=\"x\">big</p>", host: BannerScripts? = nil, isLaidOut: Bool = true
  ) async throws -> BannerStageHarness {
    let pages = [Self.main: main, Self.big: big]
    let harness =
      try host.map { try BannerStageHarness(pages: pages, host: $0) } ?? BannerStageHarness(pages: pages)
    try harness.read(Self.control)
    #expect(try await harness.events(until: "page") == Self.raised)
    if isLaidOut { harness.stage.laidOut(width: 640, height: 64) }
    return harness
  }

  private func press(_ harness: BannerStageHarness, _ code: String, element: String? = nil) {
    harness.stage.press(.run(code: code, element: element))
  }

  // MARK: - The process

  @Test func noProcessIsStartedUntilThereIsAScriptToRun() async throws {
    // The host does not exist: the first event that needs it reports that.
    let nowhere = BannerScripts(path: "/nowhere/reddot", arguments: [])
    let harness = try await harness(main: "<button onclick=\"close()\">x</button>", host: nowhere)
    harness.stage.laidOut(width: 320, height: 64)
    await harness.stage.waitUntilIdle()
    press(harness, "close()")
    let failure = "failed the view's script cannot be run: /nowhere/reddot: No such file or directory"
    #expect(try await harness.events(until: failure) == [failure])
    press(harness, "close()")
    let again = "failed the view's script was stopped: it took too much time or memory"
    #expect(try await harness.events(until: again) == [again])
    #expect(await harness.end() == [])
  }

  @Test func aPageWithoutScriptsNeedsNone() async throws {
    let nowhere = BannerScripts(path: "/nowhere/reddot", arguments: [])
    let harness = try await harness(main: "<p id=\"a\">x</p>", host: nowhere)
    press(harness, "close()")
    #expect(await harness.end() == [])
  }

  @Test func anEndlessScriptIsStoppedOnceAndThePageStays() async throws {
    let harness = try await harness(main: "<p id=\"a\">x</p><script>while (true) {}</script>")
    let stopped = "failed the view's script was stopped: it took too much time or memory"
    #expect(try await harness.events(until: stopped) == [stopped])
    // A new size starts nothing; a press reports it again.
    harness.stage.laidOut(width: 8, height: 16)
    press(harness, "close()")
    #expect(try await harness.events(until: stopped) == [stopped])
    harness.stage.dismissed()
    #expect(try await harness.events(until: "closed") == ["closed"])
    _ = await harness.end()
  }

  @Test func aScriptThatEatsMemoryIsStopped() async throws {
    let harness = try await harness(
      main: "<script>var a = []; while (true) a.push(new Array(10000).join('x'))</script>")
    let stopped = "failed the view's script was stopped: it took too much time or memory"
    #expect(try await harness.events(until: stopped) == [stopped])
    _ = await harness.end()
  }

  @Test func anExceptionIsReportedAndTheViewStillWorks() async throws {
    let harness = try await harness(main: "<p id=\"a\">x</p><script>nothing.here</script>")
    let told = try await harness.events(matching: { $0.hasPrefix("failed") })
    #expect(told.last?.contains("ReferenceError") == true)
    press(harness, "document.getElementById('a').textContent = 'y'")
    #expect(try await harness.events(until: "changed a=y") == ["changed a=y"])
    _ = await harness.end()
  }

  // MARK: - What scripts ask for

  @Test func theBlocksRunOnceAndLaterSizesAreResizes() async throws {
    let harness = try await harness(
      main: """
        <p id="a">x</p><script>var e = document.getElementById('a'); e.textContent = width() + 'x' + height();
        onresize = function () { e.textContent = width() }</script>
        """)
    #expect(try await harness.events(until: "changed a=640x64") == ["changed a=640x64"])
    harness.stage.laidOut(width: 320, height: 64)
    harness.stage.laidOut(width: 320, height: 64)
    press(harness, "document.getElementById('a').hidden = true")
    #expect(try await harness.events(until: "changed a hidden") == ["changed a=320", "changed a hidden"])
    #expect(await harness.end() == [])
  }

  @Test func whatAChangeMadeIsThereForTheNextEvent() async throws {
    let harness = try await harness(
      main:
        "<div id=\"a\">x</div><script>document.getElementById('a').innerHTML = '<b id=\"n\">new</b>'</script>"
    )
    _ = try await harness.events(until: "changed a:<b id=\"n\">new</b>")
    press(harness, "document.getElementById('a').textContent += '!'")
    #expect(try await harness.events(until: "changed a=new!") == ["changed a=new!"])
    _ = await harness.end()
  }

  @Test func flagsAreStoredAndDecideAboutTheNextSession() async throws {
    let harness = try await harness(main: "<button onclick=\"x\">never</button>")
    press(harness, "setFlag('never', true); setFlag('odd', 'maybe'); close()")
    let told = try await harness.events(until: "closed")
    #expect(told.count == 2 && told[0].contains("the script's flag \"odd\" was not set"))
    #expect(try harness.memory("b")?.flags == ["never": true])
    _ = await harness.end()
    let later = try BannerStageHarness(pages: [Self.big: "<p>x</p>"], store: harness.profile.store)
    try later.read(Self.control)
    #expect(try await later.events(until: "page").first == "raised team/next/v 1 bottom")
    _ = await later.end()
  }

  @Test func whatWasPressedBeforeTheEndIsDoneBeforeTheEnd() async throws {
    let harness = try await harness(main: "<button onclick=\"x\">never</button>", isLaidOut: false)
    press(harness, "setFlag('never', 1)")
    await harness.stage.waitUntilRead()
    _ = await harness.end()
    #expect(try harness.memory("b")?.flags == ["never": true])
  }

  @Test func displayShowsAnotherViewAndStoresNothing() async throws {
    let harness = try await harness(main: "<a href=\"javascript:display('big')\">more</a>")
    let before = try harness.memory("b")
    press(harness, "display('big'); setFlag('pressed', 1)")
    #expect(try await harness.events(until: "page") == ["raised team/b/big full top", "page"])
    #expect(try harness.memory("b")?.lastDisplay == before?.lastDisplay)
    #expect(try harness.memory("b")?.flags == ["pressed": true])
    _ = await harness.end()
  }

  @Test func anUnknownViewIsSaidAndTheCurrentOneStays() async throws {
    let harness = try await harness(main: "<a href=\"javascript:void(0)\">x</a><p id=\"a\">x</p>")
    press(harness, "display('none'); document.getElementById('a').textContent = 'still here'")
    let told = try await harness.events(matching: { $0.hasPrefix("failed") })
    #expect(
      told == [
        "changed a=still here",
        "failed the script asked for the view \"none\", which the banner does not have",
      ])
    _ = await harness.end()
  }

  @Test func viewsThatDisplayEachOtherComeToAnEnd() async throws {
    let harness = try await harness(
      main: "<script>display('big')</script>", big: "<script>display('main')</script>", isLaidOut: false)
    var pages = 1
    harness.stage.laidOut(width: 640, height: 64)
    while true {
      let told = try await harness.events(matching: { $0 == "page" || $0.hasPrefix("failed") })
      if told.last?.hasPrefix("failed") == true { break }
      pages += 1
      harness.stage.laidOut(width: 640, height: 64)
    }
    #expect(pages == 11)
    #expect(await harness.end() == [])
  }

  @Test(arguments: [
    ("https://a.example/ä", "open https://a.example/%C3%A4"),
    ("reddot:source/team", "open reddot:source/team"),
    (
      "file:///etc/passwd",
      "failed the script asked to open file:///etc/passwd; only one http, https or reddot: address is opened for a press"
    ),
  ])
  func openUrlRequestsAllowedAddresses(address: String, told: String) async throws {
    let harness = try await harness(main: "<button onclick=\"x\">y</button>")
    press(harness, "openUrl('\(address)')")
    #expect(try await harness.events(until: told) == [told])
    _ = await harness.end()
  }

  /// Actions of a view's layout or display were not requested by a press.
  @Test func anAddressIsMarkedThatNoPressAskedFor() async throws {
    let ask = "openUrl('https://a.example/')"
    let harness = try await harness(
      main: "<script>\(ask)</script><button onclick=\"x\">y</button>", big: "<script>\(ask)</script>")
    let unasked = "open https://a.example/ without a press"
    #expect(try await harness.events(until: unasked) == [unasked])
    press(harness, ask)
    #expect(try await harness.events(until: "open https://a.example/") == ["open https://a.example/"])
    press(harness, "display('big')")
    _ = try await harness.events(until: "page")
    harness.stage.laidOut(width: 640, height: 64)
    #expect(try await harness.events(until: unasked) == [unasked])
    _ = await harness.end()
  }

  @Test func callsAfterACloseAreIgnored() async throws {
    let harness = try await harness(
      main: "<p id=\"a\">x</p><script>close(); setFlag('late', 1); display('big')</script>")
    #expect(try await harness.events(until: "closed") == ["closed"])
    harness.stage.laidOut(width: 8, height: 8)
    press(harness, "close()")
    harness.stage.dismissed()
    #expect(await harness.end() == [])
    #expect(try harness.memory("b")?.flags == [:])
  }

  @Test func aReaderWhoClosesItStopsAScriptInTheMiddle() async throws {
    let harness = try await harness(main: "<script>while (true) {}</script>")
    harness.stage.dismissed()
    #expect(try await harness.events(until: "closed") == ["closed"])
    #expect(await harness.end() == [])
  }

  // MARK: - Publishers

  @Test func aPresentedBannerIgnoresConditionsAndStoresNothing() async throws {
    let harness = try BannerStageHarness(pages: [Self.main: "<button onclick=\"x\">y</button>"])
    let file = try GivenControlFile.controlFile(
      Data(Self.control.replacing("flagNotSet", with: "moon").utf8), name: "c.json")
    harness.stage.present(try BannerShow(file, banner: nil, name: "c.json"))
    #expect(try await harness.events(until: "page") == ["raised c.json/b/main 4 bottom", "page"])
    harness.stage.laidOut(width: 640, height: 64)
    press(harness, "setFlag('never', 1); close()")
    #expect(try await harness.events(until: "closed") == ["closed"])
    _ = await harness.end()
    #expect(try harness.profile.store.banners.all(of: try harness.id()).isEmpty)
  }

  @Test(arguments: [
    ("gone", "c.json contains no banner named \"gone\"; banners: a, b"),
    ("a", "c.json: the entry of \"a\" names no view of it"), (nil, nil), ("b", nil),
  ])
  func aPublisherNamesABannerOrGetsTheFirstThatCanBeShown(name: String?, sentence: String?) throws {
    let text = """
      {"a": {"entry": "x", "views": {}}, "b": {"entry": "v", "views": {"v": {"file": "\(Self.main)"}}}}
      """
    let file = try GivenControlFile.controlFile(Data(text.utf8), name: "c.json")
    do {
      let show = try BannerShow(file, banner: name, name: "c.json")
      #expect(sentence == nil && show.candidate.banner.name == "b")
    } catch {
      #expect(error.sentence == sentence)
    }
  }
}
