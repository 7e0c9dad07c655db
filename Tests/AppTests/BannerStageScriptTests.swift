import Banners
import Formats
import Foundation
import HangLimit
import Markup
import Testing

@testable import App
@testable import Storage

/// What views ask for when they run, and what the stage makes of it; in the real engine.
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

  /// A theatre whose banner is up and laid out at 80 columns.
  private func theatre(
    main: String, big: String = "<p id=\"x\">big</p>", host: BannerScripts? = nil, isLaidOut: Bool = true
  ) async throws -> BannerTheatre {
    let pages = [Self.main: main, Self.big: big]
    let theatre = try host.map { try BannerTheatre(pages: pages, host: $0) } ?? BannerTheatre(pages: pages)
    try theatre.read(Self.control)
    #expect(try await theatre.events(until: "page") == Self.raised)
    if isLaidOut { theatre.stage.laidOut(width: 640, height: 64) }
    return theatre
  }

  private func press(_ theatre: BannerTheatre, _ code: String, element: String? = nil) {
    theatre.stage.press(.run(code: code, element: element))
  }

  // MARK: - The process

  @Test func noProcessIsStartedUntilThereIsAScriptToRun() async throws {
    // A host that is not there: the first event that needs it says so.
    let nowhere = BannerScripts(path: "/nowhere/reddot", arguments: [])
    let theatre = try await theatre(main: "<button onclick=\"close()\">x</button>", host: nowhere)
    theatre.stage.laidOut(width: 320, height: 64)
    await theatre.stage.settled()
    press(theatre, "close()")
    let failure = "failed the view's script cannot be run: /nowhere/reddot: No such file or directory"
    #expect(try await theatre.events(until: failure) == [failure])
    press(theatre, "close()")
    let again = "failed the view's script was stopped: it took too much time or memory"
    #expect(try await theatre.events(until: again) == [again])
    #expect(await theatre.end() == [])
  }

  @Test func aPageWithoutScriptsNeedsNone() async throws {
    let nowhere = BannerScripts(path: "/nowhere/reddot", arguments: [])
    let theatre = try await theatre(main: "<p id=\"a\">x</p>", host: nowhere)
    press(theatre, "close()")
    #expect(await theatre.end() == [])
  }

  @Test func anEndlessScriptIsStoppedOnceAndThePageStays() async throws {
    let theatre = try await theatre(main: "<p id=\"a\">x</p><script>while (true) {}</script>")
    let stopped = "failed the view's script was stopped: it took too much time or memory"
    #expect(try await theatre.events(until: stopped) == [stopped])
    // A new size tells nobody; a press says it again.
    theatre.stage.laidOut(width: 8, height: 16)
    press(theatre, "close()")
    #expect(try await theatre.events(until: stopped) == [stopped])
    theatre.stage.dismissed()
    #expect(try await theatre.events(until: "closed") == ["closed"])
    _ = await theatre.end()
  }

  @Test func aScriptThatEatsMemoryIsStopped() async throws {
    let theatre = try await theatre(
      main: "<script>var a = []; while (true) a.push(new Array(10000).join('x'))</script>")
    let stopped = "failed the view's script was stopped: it took too much time or memory"
    #expect(try await theatre.events(until: stopped) == [stopped])
    _ = await theatre.end()
  }

  @Test func whatAScriptThrowsIsSaidAndTheViewGoesOn() async throws {
    let theatre = try await theatre(main: "<p id=\"a\">x</p><script>nothing.here</script>")
    let told = try await theatre.events(matching: { $0.hasPrefix("failed") })
    #expect(told.last?.contains("ReferenceError") == true)
    press(theatre, "document.getElementById('a').textContent = 'y'")
    #expect(try await theatre.events(until: "changed a=y") == ["changed a=y"])
    _ = await theatre.end()
  }

  // MARK: - What scripts ask for

  @Test func theBlocksRunOnceAndLaterSizesAreResizes() async throws {
    let theatre = try await theatre(
      main: """
        <p id="a">x</p><script>var e = document.getElementById('a'); e.textContent = width() + 'x' + height();
        onresize = function () { e.textContent = width() }</script>
        """)
    #expect(try await theatre.events(until: "changed a=640x64") == ["changed a=640x64"])
    theatre.stage.laidOut(width: 320, height: 64)
    theatre.stage.laidOut(width: 320, height: 64)
    press(theatre, "document.getElementById('a').hidden = true")
    #expect(try await theatre.events(until: "changed a hidden") == ["changed a=320", "changed a hidden"])
    #expect(await theatre.end() == [])
  }

  @Test func whatAChangeMadeIsThereForTheNextEvent() async throws {
    let theatre = try await theatre(
      main:
        "<div id=\"a\">x</div><script>document.getElementById('a').innerHTML = '<b id=\"n\">new</b>'</script>"
    )
    _ = try await theatre.events(until: "changed a:<b id=\"n\">new</b>")
    press(theatre, "document.getElementById('a').textContent += '!'")
    #expect(try await theatre.events(until: "changed a=new!") == ["changed a=new!"])
    _ = await theatre.end()
  }

  @Test func flagsAreStoredAndDecideAboutTheNextSession() async throws {
    let theatre = try await theatre(main: "<button onclick=\"x\">never</button>")
    press(theatre, "setFlag('never', true); setFlag('odd', 'maybe'); close()")
    let told = try await theatre.events(until: "closed")
    #expect(told.count == 2 && told[0].contains("the script's flag \"odd\" was not set"))
    #expect(try theatre.memory("b")?.flags == ["never": true])
    _ = await theatre.end()
    let later = try BannerTheatre(pages: [Self.big: "<p>x</p>"], store: theatre.workspace.store)
    try later.read(Self.control)
    #expect(try await later.events(until: "page").first == "raised team/next/v 1 bottom")
    _ = await later.end()
  }

  @Test func whatWasPressedBeforeTheEndIsDoneBeforeTheEnd() async throws {
    let theatre = try await theatre(main: "<button onclick=\"x\">never</button>", isLaidOut: false)
    press(theatre, "setFlag('never', 1)")
    await theatre.stage.taken()
    _ = await theatre.end()
    #expect(try theatre.memory("b")?.flags == ["never": true])
  }

  @Test func displayShowsAnotherViewAndStoresNothing() async throws {
    let theatre = try await theatre(main: "<a href=\"javascript:display('big')\">more</a>")
    let before = try theatre.memory("b")
    press(theatre, "display('big'); setFlag('pressed', 1)")
    #expect(try await theatre.events(until: "page") == ["raised team/b/big full top", "page"])
    #expect(try theatre.memory("b")?.lastDisplay == before?.lastDisplay)
    #expect(try theatre.memory("b")?.flags == ["pressed": true])
    _ = await theatre.end()
  }

  @Test func anUnknownViewIsSaidAndTheCurrentOneStays() async throws {
    let theatre = try await theatre(main: "<a href=\"javascript:void(0)\">x</a><p id=\"a\">x</p>")
    press(theatre, "display('none'); document.getElementById('a').textContent = 'still here'")
    let told = try await theatre.events(matching: { $0.hasPrefix("failed") })
    #expect(
      told == [
        "changed a=still here",
        "failed the script asked for the view \"none\", which the banner does not have",
      ])
    _ = await theatre.end()
  }

  @Test func viewsThatDisplayEachOtherComeToAnEnd() async throws {
    let theatre = try await theatre(
      main: "<script>display('big')</script>", big: "<script>display('main')</script>", isLaidOut: false)
    var pages = 1
    theatre.stage.laidOut(width: 640, height: 64)
    while true {
      let told = try await theatre.events(matching: { $0 == "page" || $0.hasPrefix("failed") })
      if told.last?.hasPrefix("failed") == true { break }
      pages += 1
      theatre.stage.laidOut(width: 640, height: 64)
    }
    #expect(pages == 11)
    #expect(await theatre.end() == [])
  }

  @Test(arguments: [
    ("https://a.example/ä", "open https://a.example/%C3%A4"),
    ("reddot:source/team", "open reddot:source/team"),
    (
      "file:///etc/passwd",
      "failed the script asked to open file:///etc/passwd; only one http, https or reddot: address is opened for a press"
    ),
  ])
  func openUrlAsksForWhatMayBeOpened(address: String, told: String) async throws {
    let theatre = try await theatre(main: "<button onclick=\"x\">y</button>")
    press(theatre, "openUrl('\(address)')")
    #expect(try await theatre.events(until: told) == [told])
    _ = await theatre.end()
  }

  @Test func whatComesAfterACloseIsIgnored() async throws {
    let theatre = try await theatre(
      main: "<p id=\"a\">x</p><script>close(); setFlag('late', 1); display('big')</script>")
    #expect(try await theatre.events(until: "closed") == ["closed"])
    theatre.stage.laidOut(width: 8, height: 8)
    press(theatre, "close()")
    theatre.stage.dismissed()
    #expect(await theatre.end() == [])
    #expect(try theatre.memory("b")?.flags == [:])
  }

  @Test func aReaderWhoClosesItStopsAScriptInTheMiddle() async throws {
    let theatre = try await theatre(main: "<script>while (true) {}</script>")
    theatre.stage.dismissed()
    #expect(try await theatre.events(until: "closed") == ["closed"])
    #expect(await theatre.end() == [])
  }

  // MARK: - Publishers

  @Test func aBannerThatIsPresentedIgnoresConditionsAndLeavesNothingBehind() async throws {
    let theatre = try BannerTheatre(pages: [Self.main: "<button onclick=\"x\">y</button>"])
    let file = try GivenControlFile.controlFile(
      Data(Self.control.replacing("flagNotSet", with: "moon").utf8), name: "c.json")
    theatre.stage.present(try BannerShow(file, banner: nil, name: "c.json"))
    #expect(try await theatre.events(until: "page") == ["raised c.json/b/main 4 bottom", "page"])
    theatre.stage.laidOut(width: 640, height: 64)
    press(theatre, "setFlag('never', 1); close()")
    #expect(try await theatre.events(until: "closed") == ["closed"])
    _ = await theatre.end()
    #expect(try theatre.workspace.store.banners(of: try theatre.id()).isEmpty)
  }

  @Test(arguments: [
    ("gone", "c.json holds no banner \"gone\"; it holds a, b"),
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
