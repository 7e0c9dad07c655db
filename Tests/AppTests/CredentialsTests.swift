import Foundation
import Testing

@testable import App

struct CredentialsTests {
  let credentials = Credentials(environment: ["TEAM_TOKEN": "from-env", "PATH": "/usr/bin:/bin"])

  @Test func aTokenComesFromACommandsFirstLine() throws {
    #expect(try credentials.token(from: .command(["printf", "s3cret\\nnotes"])) == "s3cret")
  }

  @Test func aTokenComesFromTheEnvironment() throws {
    #expect(try credentials.token(from: .environment("TEAM_TOKEN")) == "from-env")
  }

  @Test(arguments: [
    (CredentialOrigin.environment("NONE"), "the environment has no NONE, which token_env names"),
    (.command(["false"]), "token_command ended with status 1"),
    (.file("/nowhere/token"), "token_file /nowhere/token cannot be read: No such file or directory"),
    (.plain(""), "the token is empty"),
    (.plain("a\u{1}b"), "the token holds characters that no header may carry"),
  ])
  func aMissingTokenSaysWhy(origin: CredentialOrigin, reason: String) throws {
    let failure = #expect(throws: Credentials.Failure.self) { try credentials.token(from: origin) }
    #expect(failure?.reason == reason)
  }
}
