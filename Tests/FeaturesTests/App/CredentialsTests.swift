import Foundation
import Platform
import Testing

@testable import Settings

struct CredentialsTests {
  let credentials = Credentials(
    environment: ["TEAM_TOKEN": "from-env", "PATH": "/usr/bin:/bin"], programs: ProgramRunner())

  @Test func aTokenComesFromACommandsFirstLine() async throws {
    #expect(try await credentials.token(from: .command(["printf", "s3cret\\nnotes"])) == "s3cret")
  }

  @Test func aTokenComesFromTheEnvironment() async throws {
    #expect(try await credentials.token(from: .environment("TEAM_TOKEN")) == "from-env")
  }

  @Test(arguments: [
    (CredentialOrigin.environment("NONE"), "the variable NONE of token_env is not in the environment"),
    (.command(["false"]), "token_command ended with status 1"),
    (.command(["no-such-store"]), "token_command cannot be started: no-such-store is not installed"),
    (
      .command(["sh", "-c", "echo 'gpg: key 0x1A2B3C4D hunter2-s3cret: No secret key' >&2; exit 2"]),
      "token_command ended with status 2: gpg: key … … No secret key"
    ),
    (.command(["sh", "-c", "echo hunter2; exit 1"]), "token_command ended with status 1"),
    (.command(["yes"]), "token_command printed more than 65536 bytes"),
    (.file("/dev/zero"), "token_file /dev/zero is larger than 64 KiB, which it may have"),
    (.file("/"), "token_file / cannot be read: Is a directory"),
    (.file("/nowhere/token"), "token_file /nowhere/token cannot be read: No such file or directory"),
    (.plain(""), "the token is empty"),
    (.plain("a\u{1}b"), "the token has control characters, such as a tab"),
  ])
  func aMissingTokenSaysWhy(origin: CredentialOrigin, reason: String) async throws {
    let failure = await #expect(throws: Credentials.Failure.self) {
      try await credentials.token(from: origin)
    }
    #expect(failure?.reason == reason)
  }

  @Test func aPasswordMayHaveSpacesAndUmlauts() async throws {
    #expect(try await credentials.token(from: .plain(" grüner Tee \nnotes")) == "grüner Tee")
  }

  @Test func aPipeThatNobodyWritesIntoIsGivenUp() async throws {
    let pipe = FileManager.default.temporaryDirectory.appending(path: "reddot-pipe-\(UUID().uuidString)").path
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: pipe) }
    let failure = await #expect(throws: Credentials.Failure.self) {
      try await credentials.token(from: .file(pipe), within: .milliseconds(100))
    }
    #expect(
      failure?.reason
        == "token_file \(pipe) did not end within 1 s: it is a pipe or a device that no program closes")
    // One that is written to and closed is read whole.
    let writer = try Process.run(
      URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "echo s3cret > '\(pipe)'"])
    #expect(try await credentials.token(from: .file(pipe), within: .seconds(60)) == "s3cret")
    writer.waitUntilExit()
  }

  @Test func aCommandThatWaitsForeverIsEndedAtTheTimeout() async {
    let failure = await #expect(throws: Credentials.Failure.self) {
      try await credentials.token(from: .command(["sleep", "600"]), within: .milliseconds(100))
    }
    #expect(
      failure?.reason
        == "token_command did not end within 100 ms; it must not ask for input, and a higher token_timeout gives it more time"
    )
  }
}
