import Foundation
import Platform
import Testing

/// Programs that the user started; their use of the terminal is tested with the inbox.
struct StartedProgramTests {
  private static let environment = ["PATH": "/usr/bin:/bin"]

  @Test(arguments: [
    ("exit 0", StartedProgram.Ending.status(0)), ("exit 7", .status(7)), ("kill -9 $$", .signal(SIGKILL)),
  ])
  func itSaysHowItEnded(script: String, ending: StartedProgram.Ending) async throws {
    let program = try StartedProgram(
      ["sh", "-c", script], environment: Self.environment, .terminal(input: nil))
    #expect(await program.ending() == ending)
  }

  @Test func itsInputIsTheGivenOne() async throws {
    let program = try StartedProgram(
      ["sh", "-c", "test \"$(cat)\" = \"a b\""], environment: Self.environment,
      .terminal(input: Array("a b".utf8)))
    #expect(await program.ending() == .status(0))
  }

  @Test func itIsInOurGroup() async throws {
    let program = try StartedProgram(
      ["sh", "-c", "set -- $(cat /proc/$$/stat); test \"$5\" = \(getpgrp())"], environment: Self.environment,
      .terminal(input: nil))
    #expect(await program.ending() == .status(0))
  }

  @Test func aStoppedOneEndsBySIGTERM() async throws {
    let program = try StartedProgram(
      ["sh", "-c", "kill -STOP $$; exit 1"], environment: Self.environment, .terminal(input: nil))
    program.end()
    #expect(await program.ending() == .signal(SIGTERM))
    // Its process id may belong to another process now.
    program.end()
  }

  @Test func aMissingProgramIsReported() {
    #expect(throws: ProgramFailure.notInstalled(program: "no-such-program")) {
      try StartedProgram(["no-such-program"], environment: Self.environment, .terminal(input: nil))
    }
    #expect(throws: ProgramFailure.empty) { try StartedProgram([], environment: [:], .terminal(input: nil)) }
  }

  // MARK: Apart

  private func apart(_ script: String) throws -> StartedProgram {
    try StartedProgram(["sh", "-c", script], environment: Self.environment, .apart)
  }

  @Test func apartItHasItsOwnSessionAndNoInput() async throws {
    let program = try apart(
      "test -z \"$(cat)\" && set -- $(cat /proc/$$/stat) && test $1 = $6 && test $7 = 0")
    #expect(await program.ending() == .status(0))
    #expect(program.lastComplaint == nil)
  }

  @Test func itsLastComplaintIsReported() async throws {
    let program = try apart("echo one >&2; printf '%02000d\\nlast \\n\\n' 7 >&2; exit 2")
    let ending = await program.ending()
    #expect(ending.failure(complaint: program.lastComplaint)?.words == "ended with status 2: last")
  }

  @Test func whatItComplainsOfIsHeldInNoFile() async throws {
    let program = try apart(
      """
      test -p /proc/self/fd/2 || exit 9
      number=0
      while [ $number -lt 2000 ]; do printf '%01000d\n' $number >&2; number=$((number + 1)); done
      echo last >&2
      exit 2
      """)
    let ending = await program.ending()
    #expect(ending.failure(complaint: program.lastComplaint)?.words == "ended with status 2: last")
  }

  /// A browser continues after the script that started it.
  @Test func aChildThatKeepsItsStandardErrorDoesNotHoldBackItsEnd() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let gate = folder.appending(path: "gate").path
    #expect(mkfifo(gate, 0o600) == 0)
    let program = try apart("read line <'\(gate)' & echo odd >&2; exit 3")
    #expect(await program.ending(complaintWithin: .zero) == .status(3))
    #expect(program.lastComplaint == nil)
    let end = try #require(FileHandle(forWritingAtPath: gate))
    try end.close()
  }
}
