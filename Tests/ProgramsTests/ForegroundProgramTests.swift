import Foundation
import Programs
import Testing

/// Programs that have the terminal for a while; that they have it is tested with the inbox.
struct ForegroundProgramTests {
  private static let environment = ["PATH": "/usr/bin:/bin"]

  @Test(arguments: [
    ("exit 0", ForegroundProgram.Ending.status(0)), ("exit 7", .status(7)), ("kill -9 $$", .signal(SIGKILL)),
  ])
  func itSaysHowItEnded(script: String, ending: ForegroundProgram.Ending) async throws {
    let program = try ForegroundProgram(["sh", "-c", script], environment: Self.environment)
    #expect(await program.ending() == ending)
  }

  @Test func itsInputIsWhatIsGiven() async throws {
    let program = try ForegroundProgram(
      ["sh", "-c", "test \"$(cat)\" = \"a b\""], environment: Self.environment, input: Array("a b".utf8))
    #expect(await program.ending() == .status(0))
  }

  @Test func itIsInOurGroup() async throws {
    let program = try ForegroundProgram(
      ["sh", "-c", "set -- $(cat /proc/$$/stat); test \"$5\" = \(getpgrp())"], environment: Self.environment)
    #expect(await program.ending() == .status(0))
  }

  @Test func aStoppedOneEndsWhenItIsAskedTo() async throws {
    let program = try ForegroundProgram(["sh", "-c", "kill -STOP $$; exit 1"], environment: Self.environment)
    program.end()
    #expect(await program.ending() == .signal(SIGTERM))
    // Its number may be another's by now.
    program.end()
  }

  @Test func oneThatIsNotThereSaysSo() {
    #expect(throws: ProgramFailure.notInstalled(program: "no-such-program")) {
      try ForegroundProgram(["no-such-program"], environment: Self.environment)
    }
    #expect(throws: ProgramFailure.empty) { try ForegroundProgram([], environment: [:]) }
  }
}
