import Basics
import Foundation
import Messages
import Platform
import Synchronization
import TestBasics
import Testing

@testable import Services

/// Tests with real programs; `sh` stands for the user's command.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct CommandAdapterTests {
  private let runner = ProgramRunner()

  private func poll(
    _ command: [String], format: CommandFormat? = nil, position: PollPosition = PollPosition(),
    context: PollContext = PollContext(now: now), name: String = "checks",
    settings: (inout Source) -> Void = { _ in }
  ) async throws -> PollOutcome {
    var source = Source(id: SourceID(1), name: name, kind: .command, address: "command:a")
    source.options.command = command
    source.options.format = format?.rawValue
    settings(&source)
    return try await ScriptedTransport.run([]) { transport in
      let programs = CommandPrograms(
        runner: runner, environment: ["PATH": "/usr/bin:/bin", "GREETING": "hello"], directory: "/tmp")
      let adapter = try #require(
        SourceAdapters(transport: transport, programs: programs).adapter(for: .command))
      return await adapter.pollAll(source, position: position, context: context)
    }
  }

  private func print(_ text: String) -> [String] { ["printf", "%s", text] }

  private func ids(_ outcome: PollOutcome) -> [String]? { outcome.content?.messages.map(\.remoteID.text) }

  // MARK: Items

  @Test(arguments: [
    #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}, {"id": 3, "title": "three"}]"#,
    "[\n{\"id\": 1, \"title\": \"one\"},\n{\"id\": 2, \"title\": \"two\"},\n{\"id\": 3, \"title\": \"three\"}\n]\n",
    "{\"id\": 1, \"title\": \"one\"}\n{\"id\": 2, \"title\": \"two\"}\n{\"id\": 3, \"title\": \"three\"}\n",
  ])
  func anArrayIsAllOfItsItems(_ text: String) async throws {
    let outcome = try await poll(print(text))
    #expect(ids(outcome) == ["1", "2", "3"])
    #expect(outcome.content?.problems == [])
  }

  @Test(arguments: ["[\n{\"id\": 1},\n{\"id\": 2},\n{\"id\"", "[{\"id\": 1}, {\"id\": 2}"])
  func anArrayThatBreaksOffIsAFailure(_ text: String) async throws {
    guard case .failed(.malformed, _) = try await poll(print(text)) else {
      Issue.record("it was read")
      return
    }
  }

  @Test func aLineHasItsWordsWithoutColoursAndLinks() async throws {
    let lines =
      "plain\n\u{1B}[31mred\u{1B}[0m alert\n\u{1B}]8;;https://x.example/\u{1B}\\link\u{1B}]8;;\u{1B}\\\nred alert\n"
    let outcome = try await poll(print(lines), format: .lines)
    #expect(outcome.content?.messages.map(\.title) == ["plain", "red alert", "link"])
    let plain = try await poll(print("red alert\n"), format: .lines)
    #expect(ids(outcome)?[1] == ids(plain)?[0])
  }

  @Test func eachLineIsAnItem() async throws {
    let outcome = try await poll(
      print(
        """
        {"id": 7, "title": "Disk", "body": "full\\u2028soon", "url": "https://h/7", "priority": 4, "tags": ["disk"], \
        "time": "2026-11-20T08:00:00Z", "author": "ada", "color": "red"}

        {"id": 9}\r
        {"id": 8, "title": 3}
        """))
    let content = try #require(outcome.content)
    #expect(ids(outcome) == ["7", "9", "8"])
    #expect(content.messages.allSatisfy { $0.kind == .command })
    let first = content.messages[0]
    #expect(first.title == "Disk" && first.body == "full\u{2028}soon" && first.url == "https://h/7")
    #expect(first.priority == Priority(4) && first.tags == ["disk"] && first.author == "ada")
    #expect(first.published == now.addingTimeInterval(-3600))
    #expect(content.position == PollPosition(cursor: Cursor("9")))
    #expect(content.problems == [FormatProblem(at: "4", message: "title must be a string, not the number 3")])
    #expect(content.ignoredKeys == ["$.color"])
  }

  @Test func aBadLineIsAProblemAndTheOthersAreKept() async throws {
    let outcome = try await poll(print("{\"id\": 1,\n{\"id\": \"b\"}\n[1]\n{\"title\": \"x\"}\nhello"))
    #expect(ids(outcome) == ["b"])
    #expect(outcome.content?.position.cursor == Cursor("b"))
    #expect(outcome.content?.problems.map(\.at) == ["1", "3", "4", "5"])
  }

  @Test func linesOfWhichNoneIsJSONAreAFailure() async throws {
    #expect(
      try await poll(print("{broken\n{too")).failure
        == .malformed(line: 1, reason: "\"b\" where a key in quotes is expected"))
    let text = try await poll(print("all is well\n"))
    #expect(
      text.failure
        == .malformed(
          line: 1, reason: "neither JSON nor a feed; with format = \"lines\" each line is a message"))
  }

  @Test func inAppNotificationsAndPayloadsStayWhatTheyAre() async throws {
    let outcome = try await poll(
      print(
        """
        {"id": 1, "epoch": "2026-11-20T08:00:00Z", "actiondata": {"translations": {"en": {"title": "T", "msg": "M"}}}}
        {"id": 2, "aps": {"alert": "A", "badge": 3}}
        """))
    #expect(outcome.content?.messages.map(\.kind) == [.inapp, .apns])
    #expect(outcome.content?.badge == 3)
  }

  @Test func aNativeDocumentIsOneToo() async throws {
    let document = """
      {
        "title": "Team",
        "list": [{"id": 3, "title": "a"}, {"id": 4, "title": "b"}]
      }
      """
    let outcome = try await poll(print(document))
    #expect(ids(outcome) == ["3", "4"] && outcome.content?.title == "Team")
    #expect(outcome.content?.messages.first?.kind == .command)
    #expect(outcome.content?.position.cursor == Cursor("4"))
  }

  @Test func aDocumentWithMoreIsAskedForTheRest() async throws {
    let script = """
      next=$((REDDOT_CURSOR + 1))
      more=false; [ $next -lt 3 ] && more=true
      echo "{\\"list\\": [{\\"id\\": $next}], \\"has_more\\": $more}"
      """
    let outcome = try await poll(["sh", "-c", script], position: PollPosition(cursor: Cursor("0")))
    #expect(ids(outcome) == ["1", "2", "3"] && outcome.content?.position.cursor == Cursor("3"))
    let stuck = try await poll(["echo", "{\"list\": [{\"id\": 1}], \"has_more\": true}"])
    #expect(stuck.failure == .cursorStuck(page: 1))
  }

  @Test(arguments: [
    "<rss version=\"2.0\"><channel><title>T</title><item><guid>2</guid><title>b</title></item><item><guid>1</guid></item></channel></rss>",
    "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><entry><id>2</id><title>b</title></entry><entry><id>1</id></entry></feed>",
    "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"T\", \"items\": [{\"id\": \"2\", \"title\": \"b\", \"content_text\": \"\"}, {\"id\": \"1\", \"content_text\": \"\"}]}",
    "{\n\"version\": \"https://jsonfeed.org/version/1.1\",\n\"title\": \"T\", \"items\": [{\"id\": \"2\", \"title\": \"b\", \"content_text\": \"\"},\n{\"id\": \"1\", \"content_text\": \"\"}]}",
  ])
  func aFeedIsReadAsOne(_ document: String) async throws {
    let outcome = try await poll(print(document))
    #expect(ids(outcome) == ["1", "2"] && outcome.content?.title == "T")
    #expect(outcome.content?.messages.last?.title == "b")
    #expect(outcome.content?.messages.last?.kind == .command)
    #expect(outcome.content?.position == PollPosition(cursor: Cursor("2")))
  }

  @Test func nothingIsNoError() async throws {
    let position = PollPosition(cursor: Cursor("12"))
    for format in CommandFormat.allCases where format != .nagios {
      for text in ["", "\n \r\n"] {
        let outcome = try await poll(print(text), format: format, position: position)
        #expect(ids(outcome) == [] && outcome.content?.position == position)
        #expect(outcome.content?.problems == [])
      }
    }
  }

  // MARK: Lines

  @Test func eachLineIsAMessage() async throws {
    let outcome = try await poll(print("one\n\n  two | 2 \r\none\n\u{1B}[31mred\u{1B}[0m"), format: .lines)
    let content = try #require(outcome.content)
    #expect(content.messages.map(\.title) == ["one", "two | 2", "red"])
    #expect(content.messages.allSatisfy { $0.kind == .command && $0.body.isEmpty && $0.published == nil })
    let again = try await poll(print("two | 2\n  two | 2 \none"), format: .lines, position: content.position)
    // Lines are compared by their bytes.
    #expect(
      ids(again)?.dropFirst() == [content.messages[1].remoteID.text, content.messages[0].remoteID.text])
    #expect(content.position.cursor?.text == content.messages[2].remoteID.text)
  }

  @Test func whatIsNoTextIsShownAsSuch() async throws {
    let outcome = try await poll(["printf", "a\\0b\\n\\377\\376\\nc"], format: .lines)
    #expect(outcome.content?.messages.map(\.title) == ["a\0b", "\u{FFFD}\u{FFFD}", "c"])
    let items = try await poll(["printf", "{\"id\": 1}\\n{\"id\": \"\\377\"}\\n{\"id\": 2}\\n\\0\\n"])
    #expect(ids(items) == ["1", "2"])
    #expect(items.content?.problems.map(\.at) == ["2", "4"])
  }

  @Test func aLineOfTenMegabytesIsCut() async throws {
    let long = ["sh", "-c", "head -c 10000000 /dev/zero | tr '\\0' x; echo; echo end"]
    let lines = try await poll(long, format: .lines)
    let messages = try #require(lines.content?.messages)
    #expect(messages.count == 2 && messages[1].title == "end")
    #expect(messages[0].title.utf8.count <= Limits.titleBytes)
    #expect(messages[0].body.utf8.count <= 2 * Limits.bodyBytes)
    let items = try await poll(
      [
        "sh", "-c",
        "printf '{\"id\": 1, \"title\": \"'; head -c 10000000 /dev/zero | tr '\\0' x; echo '\"}'",
      ])
    #expect(items.content?.messages.first.map { $0.title.utf8.count <= Limits.titleBytes } == true)
  }

  // MARK: Monitoring plugins

  @Test(arguments: [
    (0, "OK", 2), (1, "WARNING", 4), (2, "CRITICAL", 5), (3, "UNKNOWN", 4), (77, "UNKNOWN", 4),
  ])
  func theExitStatusIsTheState(_ status: Int, _ word: String, _ priority: Int) async throws {
    let script = """
      echo 'DISK - 3 MB free | /=97%;80;90'; echo 'first: 1'; echo 'second: 2 | /boot=68MB;88'; echo /home=69MB
      echo trouble >&2
      exit \(status)
      """
    let outcome = try await poll(["sh", "-c", script], format: .nagios)
    let message = try #require(outcome.content?.messages.first)
    #expect(outcome.content?.messages.count == 1 && message.kind == .command)
    #expect(message.title == "DISK - 3 MB free" && message.priority == Priority(priority))
    #expect(message.body == "first: 1\nsecond: 2\n\n/=97%;80;90\n/boot=68MB;88\n/home=69MB")
    #expect(message.tags == [word.lowercased()] && message.published == now)
    #expect(message.remoteID.text.hasSuffix(":\(word)"))
    let upstream = try #require(outcome.content?.upstream)
    #expect(upstream.open == (status == 0 ? [] : [message.remoteID]) && upstream.absence == .resolved)
    #expect(outcome.content?.problems == [])
    // If there is no output, the state is the title.
    let silent = try await poll(["sh", "-c", "exit \(status)"], format: .nagios)
    #expect(silent.content?.messages.first?.title == word && silent.content?.messages.first?.body == "")
  }

  @Test func aStateThatLastsIsNoNewsAndOneThatComesBackIs() async throws {
    var position = PollPosition()
    var seen: [(id: String, occasion: String?, since: Date?)] = []
    for (minute, status) in [0, 2, 2, 0, 2].enumerated() {
      let at = now.addingTimeInterval(60.5 * Double(minute))
      let outcome = try await poll(
        ["sh", "-c", "exit \(status)"], format: .nagios, position: position, context: PollContext(now: at))
      let content = try #require(outcome.content)
      position = content.position
      let message = content.messages[0]
      seen.append((message.tags[0], message.extras?.occasion, message.published))
    }
    #expect(seen.map(\.id) == ["ok", "critical", "critical", "ok", "critical"])
    #expect(seen[1].occasion == seen[2].occasion && seen[1].since == seen[2].since)
    #expect(seen[1].occasion != seen[4].occasion && seen[0].occasion != seen[3].occasion)
    #expect(seen[1].since == now.addingTimeInterval(60.5))
  }

  @Test func onlyTheCommandAndItsStateAreTheKey() async throws {
    func key(_ words: [String]) async throws -> RemoteID? {
      try await poll(words, format: .nagios).content?.messages.first?.remoteID
    }
    let first = try await key(["sh", "-c", "echo $$; exit 2"])
    #expect(try await key(["sh", "-c", "echo $$; exit 2"]) == first)
    #expect(try await key(["sh", "-c", "echo a; exit 2"]) != first)
  }

  // MARK: The program

  @Test func theProgramKnowsSourceAndCursorAndStandsInTheSettingsFolder() async throws {
    let script = "echo \"$REDDOT_SOURCE|$REDDOT_CURSOR|$GREETING|$(pwd)|$(cat)\""
    let outcome = try await poll(
      ["sh", "-c", script], format: .lines, position: PollPosition(cursor: Cursor("a\0b")), name: "my checks")
    #expect(outcome.content?.messages.first?.title == "my checks|a|hello|/tmp|")
    let first = try await poll(["sh", "-uc", "echo \"<$REDDOT_CURSOR>\""], format: .lines)
    #expect(first.content?.messages.first?.title == "<>")
  }

  @Test func noShellSeesTheWords() async throws {
    let outcome = try await poll(["printf", "%s\\n", "$(id)", "a b"], format: .lines)
    #expect(outcome.content?.messages.map(\.title) == ["$(id)", "a b"])
  }

  @Test(arguments: [
    (["false"], "ended with status 1"),
    (
      ["sh", "-c", "echo half; echo first >&2; echo 'no route' >&2; exit 3"], "ended with status 3: no route"
    ),
    (["sh", "-c", "kill -9 $$"], "was ended by signal 9"),
    (["no-such-program"], "cannot be started: no-such-program is not installed"),
    (["./no-such-program"], "cannot be started: /tmp/./no-such-program is not installed"),
    ([], "names no program"),
  ])
  func aProgramThatFailsIsAFailure(_ command: [String], _ reason: String) async throws {
    for format in [CommandFormat.items, .lines] {
      #expect(try await poll(command, format: format).failure == .program(reason: reason))
    }
  }

  @Test func aMonitoringPluginThatWasEndedHasNoState() async throws {
    let killed = try await poll(["sh", "-c", "echo OK; kill -9 $$"], format: .nagios)
    #expect(killed.failure == .program(reason: "was ended by signal 9"))
    #expect(
      try await poll(["no-such-plugin"], format: .nagios).failure
        == .program(reason: "cannot be started: no-such-plugin is not installed"))
  }

  @Test(arguments: [
    ("./no-such-plugin", "could not be run: a program in it was not found (status 127): "),
    ("/dev/null", "could not be run: a program in it cannot be executed (status 126): "),
  ])
  func aMonitoringPluginThatCouldNotBeRunHasNoState(_ plugin: String, _ reason: String) async throws {
    let failure = try await poll(["sh", "-c", plugin], format: .nagios).failure
    guard case .program(let found)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(found.hasPrefix(reason) && found.contains(plugin))
  }

  @Test func outputWithoutEndIsEnded() async throws {
    let outcome = try await poll(["yes"], settings: { $0.polling.responseLimit = 100_000 })
    #expect(outcome.failure == .tooLarge(limit: 100_000))
  }

  @Test func aProgramThatHangsIsEndedBeforeThePollIs() async throws {
    // One keeps its output open, the other one doesn't.
    for script in ["echo a; sleep 600", "echo a; exec >&-; sleep 600"] {
      let outcome = try await poll(
        ["sh", "-c", script], format: .lines, settings: { $0.polling.pollDeadline = .seconds(1) })
      #expect(outcome.failure == .timedOut(.poll, seconds: 0.9))
    }
  }

  @Test func aChildThatOutlivesItsProgramBlocksNothing() async throws {
    let outcome = try await poll(["sh", "-c", "echo done; sleep 90 &"], format: .lines)
    #expect(outcome.content?.messages.map(\.title) == ["done"])
  }

  @Test func standardErrorIsForTheLogAndBounded() async throws {
    let lines = Lines()
    var context = PollContext(now: now)
    context.log = { lines.append($0) }
    let script = "for n in $(seq 1 5000); do echo \"line $n\" >&2; done; echo news"
    let outcome = try await poll(["sh", "-c", script], format: .lines, context: context)
    #expect(outcome.content?.messages.map(\.title) == ["news"])
    #expect(lines.all.count == Limits.loggedComplaints && lines.all.last == "checks: line 5000")
    #expect(outcome.content?.problems == [])
  }

  @Test func aCancelledPollLeavesNoProcess() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    let ready = folder + "-ready"
    #expect(mkfifo(ready, 0o600) == 0)
    defer {
      unlink(ready)
      unlink(folder)
    }
    let script = "trap '' TERM; exec 9>\"$0\"; flock 9; echo > \"$1\"; sleep 1000 & wait; sleep 1000"
    let task = Task { try await poll(["sh", "-c", script, folder, ready], format: .lines) }
    let program = Program(
      ["cat", ready], environment: ["PATH": "/usr/bin:/bin"], outputLimit: 10, deadline: HangLimit.duration)
    _ = try await runner.run(program)
    task.cancel()
    #expect(try await task.value.failure == .cancelled)
    // The lock is free only if no process has the file open.
    let file = open(folder, O_RDWR)
    #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
    close(file)
  }

  @Test func fourThatHangHoldUpNoOtherProgram() async throws {
    let hanging = (0..<Limits.programsAtOnce).map { _ in Task { try await poll(["sleep", "600"]) } }
    let program = Program(
      ["echo", "token"], environment: ["PATH": "/usr/bin:/bin"], outputLimit: 10,
      deadline: HangLimit.duration)
    #expect(try await runner.run(program) == Array("token\n".utf8))
    for task in hanging { task.cancel() }
    for task in hanging { #expect(try await task.value.failure == .cancelled) }
  }
}

/// The lines of a log.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func append(_ line: String) { lines.withLock { $0.append(line) } }
}
