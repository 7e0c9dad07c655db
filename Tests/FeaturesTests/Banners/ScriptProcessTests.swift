import Foundation
import TerminalHarness
import TestBasics
import Testing

@testable import Banners

/// Scripts in the real engine, in a process of the built program.
struct ScriptProcessTests {
  /// Runs events one after another in one view, and returns the last reply.
  private func run(
    _ requests: ScriptRequest..., deadline: Duration = HangLimit.duration
  ) async throws(ScriptProcess.Failure) -> ScriptReply {
    let process = Self.process(deadline: deadline)
    var reply = ScriptReply(calls: [])
    for request in requests { reply = try await process.send(request) }
    await process.end()
    return reply
  }

  static func process(deadline: Duration = HangLimit.duration) -> ScriptProcess {
    signal(SIGPIPE, SIG_IGN)
    return ScriptProcess(
      executable: BuiltProduct.path("reddot"), arguments: ["script-host"], deadline: deadline)
  }

  static func load(_ script: String, _ elements: [ScriptElement] = [], width: Double = 640) -> ScriptRequest {
    ScriptRequest(event: .load(scripts: [script]), elements: elements, width: width, height: 64)
  }

  static func press(_ code: String, element: String? = nil, _ elements: [ScriptElement]? = nil)
    -> ScriptRequest
  {
    ScriptRequest(event: .run(code: code, element: element), elements: elements, width: 640, height: 64)
  }

  static func element(_ id: String, _ text: String = "") -> ScriptElement {
    ScriptElement(id: id, textContent: text, innerHTML: text, hidden: false)
  }

  // MARK: - Allowed calls

  @Test func everyGlobalBecomesACallInItsOrder() async throws {
    let reply = try await run(
      Self.load(
        "display('big'); setFlag('never', true); openUrl('https://a.example/?q=1'); dismiss(); close()"))
    #expect(
      reply.calls == [
        .display("big"), .setFlag(name: "never", value: "true"), .openURL("https://a.example/?q=1"), .close,
        .close,
      ])
    #expect(reply.error == nil)
  }

  /// The engine writes the calls according to the prototypes, which a script may change.
  @Test(arguments: [
    ("return 'x';", "the script changed the encoding of its calls, so none is carried out"),
    ("throw new Error('no');", "Error: no"),
  ])
  func aScriptThatSpoilsItsCallsIsSaid(toJSON: String, error: String) async throws {
    let reply = try await run(Self.load("Array.prototype.toJSON = function () { \(toJSON) }; close()"))
    #expect(reply.calls == [])
    #expect(reply.error == error)
  }

  @Test(arguments: [
    ("true", "true"), ("'yes'", "yes"), ("1", "1"), ("false", "false"), ("''", ""), ("null", ""), ("0", "0"),
  ])
  func flagsComeAsText(value: String, text: String) async throws {
    #expect(try await run(Self.load("setFlag('f', \(value))")).calls == [.setFlag(name: "f", value: text)])
  }

  @Test func theSizeIsTheViewsAndFollowsAResize() async throws {
    let script =
      "setFlag('load', width() + 'x' + height()); onresize = function () { setFlag('resize', width()) }"
    #expect(try await run(Self.load(script)).calls == [.setFlag(name: "load", value: "640x64")])
    let resized = ScriptRequest(event: .resize, width: 320, height: 64)
    #expect(try await run(Self.load(script), resized).calls == [.setFlag(name: "resize", value: "320")])
    let later = ScriptRequest(event: .run(code: "setFlag('w', width())", element: nil), width: 8, height: 16)
    #expect(try await run(Self.load(""), later).calls == [.setFlag(name: "w", value: "8")])
  }

  @Test func elementsAreFoundReadAndChanged() async throws {
    let script = """
      var e = document.getElementById('a');
      e.innerHTML = '<b>' + e.textContent + '</b>'; e.hidden = !e.hidden; e.textContent = 'x < y';
      setFlag('none', document.getElementById('b') === null); setFlag('html', e.innerHTML);
      setFlag('odd', document.getElementById('constructor') === null);
      """
    let reply = try await run(Self.load(script, [Self.element("a", "one")]))
    #expect(
      reply.calls == [
        .setHTML(element: "a", "<b>one</b>"), .setHidden(element: "a", true), .setText(element: "a", "x < y"),
        .setFlag(name: "none", value: "true"), .setFlag(name: "html", value: "x &lt; y"),
        .setFlag(name: "odd", value: "true"),
      ])
  }

  @Test func handlersAreCalledWithTheirElement() async throws {
    let script = """
      var n = 0, e = document.getElementById('a');
      e.onclick = function (event) { n += 1; this.textContent = event.type + n };
      """
    let elements = [Self.element("a")]
    #expect(try await run(Self.load(script, elements)).calls == [.setClickable(element: "a", true)])
    let click = ScriptRequest(event: .click(element: "a"), width: 640, height: 64)
    #expect(
      try await run(Self.load(script, elements), click, click).calls == [.setText(element: "a", "click2")])
    let inline = Self.press("this.hidden = true; return false", element: "a")
    #expect(try await run(Self.load("", elements), inline).calls == [.setHidden(element: "a", true)])
  }

  @Test func whatAnInnerHTMLMadeIsFoundAndOtherHandlersStay() async throws {
    let script = """
      document.getElementById('b').onclick = function () { setFlag('b', 1) };
      document.getElementById('a').innerHTML = 'x <button id="new">y</button>';
      document.getElementById('new').onclick = function () { setFlag('new', this.textContent) };
      """
    let load = Self.load(script, [Self.element("a"), Self.element("b")])
    #expect(try await run(load).calls.last == .setClickable(element: "new", true))
    // The parent's decision.
    let synced = [Self.element("a", "x y"), Self.element("new", "y"), Self.element("b")]
    let click = { (id: String) in
      ScriptRequest(event: .click(element: id), elements: synced, width: 640, height: 64)
    }
    #expect(try await run(load, click("new")).calls == [.setFlag(name: "new", value: "y")])
    #expect(try await run(load, click("b")).calls == [.setFlag(name: "b", value: "1")])
    let gone = Self.press("setFlag('gone', document.getElementById('a') === null)", [Self.element("b")])
    #expect(try await run(load, gone).calls == [.setFlag(name: "gone", value: "true")])
  }

  @Test func anExceptionIsReportedAndEarlierCallsCount() async throws {
    let reply = try await run(Self.load("setFlag('a', 1); nothing.here; setFlag('b', 1)"))
    #expect(reply.calls == [.setFlag(name: "a", value: "1")])
    #expect(reply.error?.contains("ReferenceError") == true)
    let later = try await run(Self.load("throw 'words'"), Self.press("setFlag('a', 1)"))
    #expect(later == ScriptReply(calls: [.setFlag(name: "a", value: "1")]))
    #expect(try await run(Self.load("a b")).error?.contains("SyntaxError") == true)
  }

  @Test func itIsES5() async throws {
    let script = """
      var list = [3, 1, 2].map(function (n) { return n * 2 }).filter(function (n) { return n > 2 }).sort();
      var copy = JSON.parse(JSON.stringify({ list: list, at: new Date(0).toISOString() }));
      setFlag('es5', copy.list.join() + copy.at + Object.keys(copy).length + 'ä€😀'.length + ' x '.trim());
      """
    #expect(
      try await run(Self.load(script)).calls == [
        .setFlag(name: "es5", value: "4,61970-01-01T00:00:00.000Z24x")
      ])
  }

  @Test func textOfAnyKindIsTransferredUnchanged() async throws {
    let text = "é \u{1F600} \u{2028} \u{2029} \"\\ </script> \u{7} \u{0}"
    let reply = try await run(
      Self.load("var e = document.getElementById('a'); setFlag(e.textContent, '')", [Self.element("a", text)])
    )
    #expect(reply.calls == [.setFlag(name: text, value: "")])
  }

  // MARK: - What scripts must not do

  @Test(
    .timeLimit(.minutes(HangLimit.minutes)),
    arguments: [
      "while (true) {}", "for (;;) { try { while (true) {} } catch (e) {} }",
      "(function f() { try { f() } finally { f() } })()", "/(a+)+b/.test(Array(99).join('a'))",
      "var s = 'x'; while (true) { s = s.replace(/x/g, 'y') }",
    ])
  func anEndlessScriptIsStopped(script: String) async throws {
    // The process is ended by its own limit of processor time, not by this deadline.
    let process = Self.process(deadline: .seconds(3600))
    _ = try await process.send(Self.load("setFlag('ok', 1)"))
    await #expect(throws: ScriptProcess.Failure.overran) { try await process.send(Self.press(script)) }
    // The process has ended, and is not started again.
    await #expect(throws: ScriptProcess.Failure.overran) { try await process.send(Self.press("close()")) }
    #expect(await process.processID == nil)
  }

  @Test(arguments: [
    "var a = []; while (true) a.push(new Array(10000).join('x'))",
    "var s = 'x'; while (true) s += s",
    "var a = []; while (true) { try { a.push(new Array(100000).join('x')) } catch (e) {} }",
    "new ArrayBuffer(64 << 20)", "var a = []; for (;;) a = [a, a.concat(a)]",
  ])
  func aScriptThatEatsMemoryIsStopped(script: String) async throws {
    await #expect(throws: ScriptProcess.Failure.overran) { try await run(Self.load(script)) }
  }

  @Test func whatStaysBelowTheLimitRuns() async throws {
    let script = """
      var s = 'x', a = [];
      while (s.length < 1 << 20) s += s;
      for (var i = 0; i < 24; i++) a.push(s + i);
      close();
      """
    #expect(try await run(Self.load(script)) == ScriptReply(calls: [.close]))
  }

  @Test func anEventAfterAnotherHasTimeOfItsOwn() async throws {
    let busy = "var end = 0; for (var i = 0; i < 400000; i++) end += i; close()"
    let process = Self.process()
    for _ in 0..<6 { #expect(try await process.send(Self.press(busy)).calls == [.close]) }
    await process.end()
  }

  @Test(arguments: [
    "__reddot = null; close()", "delete __reddot; close()",
    "__reddot.end = function () { return '[1]' }; close()",
    "JSON.stringify = function () { return 'x' }; close()", "Array.prototype.push = null; close()",
    "try { Object.defineProperty(this, '__reddot', { value: 1 }) } catch (e) {}",
  ])
  func theListCannotBeTakenAway(script: String) async throws {
    #expect(try await run(Self.load(script), Self.press("close()")).calls == [.close])
  }

  @Test func aListOfAnyLengthIsCut() async throws {
    #expect(try await run(Self.load("for (var i = 0; i < 5000; i++) close()")).calls.count == 1000)
  }

  @Test func callsOfAShapeThatNoScriptMakesAreDropped() throws {
    let text = """
      {"calls":[{"call":"close"},{"call":"rm"},{"call":"display"},{"call":"setFlag","name":"a"},
      {"call":"hidden","id":"a","value":"x"},{"call":"display","id":"b"}]}
      """
    let answer = try JSONDecoder().decode(ScriptAnswer.self, from: Data(text.utf8))
    #expect(answer.reply.calls == [.close, .display("b")])
  }

  @Test(arguments: [
    "require", "Duktape.Buffer", "process", "XMLHttpRequest", "fetch", "print", "readFile", "setTimeout",
  ])
  func thereIsNothingElse(name: String) async throws {
    #expect(
      try await run(Self.load("setFlag('type', typeof \(name))")).calls == [
        .setFlag(name: "type", value: "undefined")
      ])
  }
}
