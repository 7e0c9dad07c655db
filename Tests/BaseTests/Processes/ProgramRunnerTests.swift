import Basics
import Foundation
import Platform
import TestBasics
import Testing

/// Runs real programs.
struct ProgramRunnerTests {
  private let runner = ProgramRunner()
  private static let environment = ["PATH": "/usr/bin:/bin"]

  private func program(
    _ command: String..., input: String = "", limit: Int = 1 << 20, deadline: Duration = HangLimit.duration
  ) -> Program {
    var program = Program(command, environment: Self.environment, outputLimit: limit, deadline: deadline)
    program.input = Array(input.utf8)
    return program
  }

  private func text(_ program: Program) async throws(ProgramFailure) -> String {
    String(decoding: try await runner.run(program), as: UTF8.self)
  }

  @Test func wordsAreArgumentsAndNoShellSeesThem() async throws {
    #expect(try await text(program("printf", "%s|", "$(id)", "a b", "")) == "$(id)|a b||")
  }

  @Test func theEnvironmentIsTheOneGiven() async throws {
    #expect(try await text(program("env")) == "PATH=/usr/bin:/bin\n")
  }

  @Test func standardInputIsTheGivenOneElseEmpty() async throws {
    let long = String(repeating: "0123456789abcdef", count: 40_000)
    #expect(try await text(program("cat", input: long)) == long)
    #expect(try await text(program("cat")) == "")
    // The program need not read all of its input.
    #expect(try await text(program("true", input: long)) == "")
  }

  @Test func anOutcomeHasItsStatusItsOutputAndItsLastComplaint() async throws {
    let noise = "for n in 1 2 3 4 5 6 7 8 9; do printf '%0999d\\n' $n >&2; done"
    let ended = try await runner.outcome(
      of: program("sh", "-c", "cat; echo first >&2; \(noise); echo last >&2; echo >&2; exit 3", input: "in"))
    #expect(ended.status == 3 && ended.output == Array("in".utf8) && ended.lastComplaint == "last")
    let silent = try await runner.outcome(of: program("true"))
    #expect(silent.status == 0 && silent.output.isEmpty && silent.lastComplaint == nil)
    await #expect(throws: ProgramFailure.killed(signal: SIGKILL)) {
      try await runner.outcome(of: program("sh", "-c", "kill -9 $$"))
    }
  }

  @Test func nothingOfOursIsOpenInIt() async throws {
    // These descriptors have no close-on-exec on purpose, like those of some libraries.
    let file = open("/etc/hostname", O_RDONLY)
    let ours = fcntl(file, F_DUPFD, 200)
    defer {
      close(file)
      close(ours)
    }
    #expect(ours >= 200)
    let open = try await text(program("sh", "-c", "for n in /proc/$$/fd/*; do echo ${n##*/}; done"))
    #expect(Set(open.split(separator: "\n").compactMap { Int($0) }).isSubset(of: [0, 1, 2, 3, 10, 255]))
  }

  @Test func itHasASessionOfItsOwnAndNoTerminal() async throws {
    let fields = try await text(program("sh", "-c", "cat /proc/$$/stat")).split(separator: " ")
    // Process, group and session are one; 0 is not a terminal (proc(5)).
    #expect(fields[0] == fields[4] && fields[0] == fields[5] && fields[6] == "0")
  }

  @Test(arguments: [
    (["false"], "ended with status 1"),
    (
      ["sh", "-c", "echo >&2; echo '  no such entry  ' >&2; echo more >&2; exit 3"],
      "ended with status 3: no such entry"
    ),
    (["sh", "-c", "kill -9 $$"], "was ended by signal 9"),
    (["no-such-program"], "cannot be started: no-such-program is not installed"),
    (["/no/such/program"], "cannot be started: /no/such/program is not installed"),
    ([], "names no program"),
  ])
  func aFailureSaysWhatHappened(command: [String], words: String) async {
    let failure = await #expect(throws: ProgramFailure.self) {
      try await runner.run(
        Program(command, environment: Self.environment, outputLimit: 100, deadline: HangLimit.duration))
    }
    #expect(failure?.words == words)
  }

  @Test func aProgramStandsWhereItIsToldAndARelativeOneIsThere() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
    for (name, line) in [("plain", ""), ("script", "#!/bin/sh\n")] {
      try Data("\(line)pwd -P\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      chmod("\(folder)/\(name)", 0o700)
      var program = program("./\(name)")
      program.directory = folder
      #expect(try await text(program) == folder + "\n")
    }
    var nowhere = program("pwd")
    nowhere.directory = folder + "/missing"
    await #expect(throws: ProgramFailure.self) { try await text(nowhere) }
  }

  @Test func aScriptThatNamesNoInterpreterIsTheShells() async throws {
    let script = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    try Data("echo \"$1\"\n".utf8).write(to: URL(fileURLWithPath: script))
    defer { unlink(script) }
    chmod(script, 0o700)
    #expect(try await text(program(script, "a b")) == "a b\n")
  }

  @Test func whatPrintsWithoutEndIsEnded() async {
    await #expect(throws: ProgramFailure.printedMore(thanBytes: 1000)) {
      try await text(program("yes", limit: 1000))
    }
    await #expect(throws: ProgramFailure.tookLonger(than: .milliseconds(200))) {
      try await text(program("sh", "-c", "yes >&2", deadline: .milliseconds(200)))
    }
  }

  /// A program and its child, which both ignore SIGTERM, hold a lock until they have ended.
  private static let deaf =
    "trap '' TERM; exec 9>\"$0\"; flock 9; echo > \"$1\"; sleep 1000 & wait; sleep 1000"

  @Test(arguments: [true, false])
  func theWholeGroupIsGoneWhenItIsEnded(isCancelled: Bool) async throws {
    let lock = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    defer { unlink(lock) }
    let ready = lock + "-ready"
    #expect(mkfifo(ready, 0o600) == 0)
    defer { unlink(ready) }
    let runner = runner
    let program = program(
      "sh", "-c", Self.deaf, lock, ready, deadline: isCancelled ? .seconds(600) : .seconds(1))
    let task = Task { () async -> ProgramFailure? in
      do throws(ProgramFailure) {
        _ = try await runner.run(program)
        return nil
      } catch {
        return error
      }
    }
    if isCancelled {
      #expect(try await text(self.program("cat", ready)) == "\n")
      task.cancel()
    }
    let failure = await task.value
    #expect(failure == (isCancelled ? .cancelled : .tookLonger(than: .seconds(1))))
    // The lock is free only if no process has the file open.
    #expect(try await text(self.program("flock", lock, "echo", "free")) == "free\n")
  }

  @Test func aChildThatOutlivesItsProgramBlocksNothing() async throws {
    // The program ends, but its child keeps its standard output open.
    #expect(try await text(program("sh", "-c", "echo done; sleep 90 &")) == "done\n")
  }

  @Test func fourRunAtOnceAndAllHaveTheirTurn() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
    let runner = runner
    let counts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<12 {
        group.addTask {
          let words = ["sh", "-c", "mkdir \"$0/$$\"; ls \"$0\" | wc -l; sleep 0.1; rmdir \"$0/$$\"", folder]
          let program = Program(
            words, environment: Self.environment, outputLimit: 100, deadline: HangLimit.duration)
          return String(decoding: try await runner.run(program), as: UTF8.self)
        }
      }
      return try await group.reduce(into: []) {
        $0.append(Int($1.trimmingCharacters(in: .whitespacesAndNewlines)))
      }
    }
    #expect(counts.count == 12)
    #expect(counts.allSatisfy { $0.map { (1...Limits.programsAtOnce).contains($0) } ?? false })
  }

  @Test func oneThatWaitsForItsTurnCanBeCancelled() async {
    let runner = runner
    let busy = (0..<Limits.programsAtOnce).map { _ in
      Task { try await runner.run(self.program("sleep", "600", deadline: .seconds(600))) }
    }
    let waiting = Task { try await runner.run(self.program("true")) }
    waiting.cancel()
    await #expect(throws: ProgramFailure.cancelled) { try await waiting.value }
    for task in busy { task.cancel() }
    for task in busy { await #expect(throws: ProgramFailure.cancelled) { try await task.value } }
    await #expect(throws: Never.self) { try await runner.run(program("true")) }
  }

  @Test func aDetachedProgramIsIndependent() async throws {
    let pipe = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let reader = Task { try await runner.run(self.program("cat", pipe)) }
    try await runner.detach(
      ["sh", "-c", "printf '%s %s' \"$1\" $PPID > \"$0\"", pipe, "$(id)"], environment: Self.environment)
    let said = String(decoding: try await reader.value, as: UTF8.self).split(separator: " ")
    #expect(said.first == "$(id)" && said.last.map(String.init) != String(getpid()))
    await #expect(throws: ProgramFailure.notInstalled(program: "no-such-browser")) {
      try await runner.detach(["no-such-browser"], environment: Self.environment)
    }
  }

  /// The children of this process that have ended and were not waited for, by their programs' names.
  private func zombies() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      // The files of other processes may be gone by now.
      guard Int(name) != nil, let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        let fields = text.wholeMatch(of: #/\d+ \((.*)\) Z (\d+) .*\n/#.dotMatchesNewlines()),
        Int(fields.2) == Int(getpid())
      else { return nil }
      return String(fields.1)
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "skipped: no /proc"))
  func noneIsLeftAZombie() async throws {
    for _ in 0..<5 { _ = try await text(program("true")) }
    await #expect(throws: ProgramFailure.self) { try await text(program("sleep", "60", deadline: .zero)) }
    let zombies = try zombies()
    #expect(!zombies.contains("true") && !zombies.contains("sleep"), "\(zombies)")
  }

  /// A program may already run before its process id is known here.
  @Test(.timeLimit(.minutes(HangLimit.minutes)))
  func nothingThatIsJustBeingStartedOutlivesTheEnd() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-starts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for round in 0..<20 {
      let lock = folder.appending(path: "\(round)").path
      let runner = ProgramRunner()
      let program = program("sh", "-c", "exec 9>\"$1\"; flock 9; trap '' TERM; sleep 600", "sh", lock)
      let run = Task { try await runner.run(program) }
      while access(lock, F_OK) != 0 { await Task.yield() }
      runner.killAll()
      #expect(await run.result.isFailure)
      let file = open(lock, O_RDWR)
      // No process of its group holds it any more.
      #expect(flock(file, LOCK_EX) == 0)
      close(file)
      await #expect(throws: ProgramFailure.cancelled) { try await runner.run(self.program("true")) }
    }
  }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
