import Foundation
import Sync
import TestBasics
import Testing

/// A sync location behind programs that violate the protocol.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PipePlaceTests {
  /// The beginning of a script: it reads requests of so many bytes, and prints frames by their verb and rest.
  private static let functions = """
    hear() { head -c $1 >/dev/null; }
    say() { printf '\\000\\000\\000'; printf \"\\\\$(printf %03o ${#1})\"; printf %s \"$1\"; }
    echo reddot-sync 1

    """

  init() { signal(SIGPIPE, SIG_IGN) }

  private func failure<Value>(_ script: String, _ call: (PipePlace) throws -> Value) throws -> PlaceFailure? {
    let place = try pipe(script: script)
    defer { place.close() }
    do {
      _ = try call(place)
      return nil
    } catch let failure as PlaceFailure {
      return failure
    }
  }

  @Test func itsAnswersAreThoseOfTheProgram() throws {
    let place = try pipe(
      script: Self.functions + "hear 5; say l; hear 37; say gabc; hear 37; say n; hear 37; say k; cat")
    defer { place.close() }
    #expect(try place.list() == [])
    #expect(try place.get(name(1, 1...1)) == Array("abc".utf8))
    #expect(try place.get(name(1, 1...1)) == nil)
    try place.delete(name(1, 1...1))
  }

  @Test func aProgramThatIsNotThereIsSaid() throws {
    let place = try pipe(["no-such-program"])
    #expect(throws: PlaceFailure.notStarted(program: "no-such-program", reason: "it is not installed")) {
      try place.list()
    }
    let folder = try pipe(["/usr"])
    let failure = #expect(throws: PlaceFailure.self) { try folder.list() }
    #expect(failure?.description == "/usr could not be started: Permission denied")
  }

  @Test func theLastLineOfAProgramThatEndsIsSaid() throws {
    for script in [
      "echo first >&2; echo 'ssh: connect to host box: Connection refused' >&2; echo >&2; exit 255",
      Self.functions + "hear 5; echo 'ssh: connect to host box: Connection refused' >&2",
      Self.functions + "echo 'ssh: connect to host box: Connection refused' >&2; exit 1",
      Self.functions
        + "hear 5; printf '\\000\\000\\000\\007l'; echo 'ssh: connect to host box: Connection refused' >&2",
    ] {
      #expect(
        try failure(script) { try $0.list() }?.description
          == "sh ended: ssh: connect to host box: Connection refused")
    }
    #expect(
      try failure("exit 3") { try $0.list() } == .ended(program: "sh", line: "it gave no reason (status 3)"))
    #expect(
      try failure("kill -9 $$") { try $0.list() }
        == .ended(program: "sh", line: "it gave no reason (signal 9)"))
  }

  @Test func whatIsNoReddotIsSaid() throws {
    let sentence = "box does not respond like reddot sync; install a reddot there that can synchronise"
    for script in [
      "echo reddot-sync 2; cat", "head -c 70000 /dev/zero; cat", "yes; cat",
      Self.functions + "hear 5; printf '\\000\\000\\000\\002e\\004'; cat",
    ] {
      #expect(try failure(script) { try $0.list() }?.description == sentence)
    }
  }

  @Test func whatAShellSaysFirstIsSkipped() throws {
    let talk = "printf '\\033]2;box\\007'; head -c 65000 /dev/zero;"
    #expect(try failure(talk + Self.functions + "hear 5; say l; cat") { try $0.list() } == nil)
  }

  @Test(arguments: [
    "x", "n", "k", "gabc", "labc", "l" + String(repeating: "\u{7F}", count: 33), "?", "c1", "",
  ])
  func anAnswerToAnotherQuestionEndsIt(answer: String) throws {
    let found = try failure(Self.functions + "hear 5; say '\(answer)'; cat") { try $0.list() }
    guard case .broken("ssh:box:reddot", _) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test func anAnswerTooManyEndsIt() throws {
    let found = try failure(Self.functions + "hear 5; printf '\\000\\000\\000\\001l\\000'; cat") {
      try $0.list()
    }
    #expect(found == .broken(place: "ssh:box:reddot", reason: "it sent more responses than requests"))
  }

  @Test func anAnswerThatIsTooLongIsNotRead() throws {
    let found = try failure(Self.functions + "hear 5; printf '\\004\\000\\020\\001l'; cat /dev/zero") {
      try $0.list()
    }
    #expect(found == .broken(place: "ssh:box:reddot", reason: "its response has 67112961 bytes"))
  }

  @Test func aFailureOfThePlaceIsSaidAndTheProgramGoesOn() throws {
    let place = try pipe(
      script: Self.functions + """
        hear 5; printf '\\000\\000\\000\\004e\\001no'; hear 5; printf '\\000\\000\\000\\004e\\002no'
        hear 5; printf '\\000\\000\\000\\004e\\003no'; hear 5; printf '\\000\\000\\000\\004e\\377no'; hear 5; say l; cat
        """)
    defer { place.close() }
    for expected in [
      PlaceFailure.notAllowed(place: "ssh:box:reddot", reason: "no"), .full(place: "ssh:box:reddot"),
      .broken(place: "ssh:box:reddot", reason: "no"), .broken(place: "ssh:box:reddot", reason: "no"),
    ] {
      #expect(throws: expected) { try place.list() }
    }
    #expect(try place.list() == [])
  }

  @Test func aWholeSentenceOfThePlaceStandsAlone() {
    func sentence(_ reason: String) -> String {
      PlaceFailure.notAllowed(place: "postgresql://box/reddot", reason: reason).description
    }
    #expect(sentence("The database has no table.") == "The database has no table.")
    #expect(sentence("it is read-only") == "postgresql://box/reddot may not be written: it is read-only")
  }

  @Test func aProgramThatSaysNothingIsEnded() throws {
    for script in [
      "cat >/dev/null", Self.functions + "cat >/dev/null", Self.functions + "exec <&-; cat /dev/zero >&2",
    ] {
      let place = try pipe(script: script, silence: .milliseconds(200))
      #expect(throws: PlaceFailure.broken(place: "ssh:box:reddot", reason: "there was no response for 1 s")) {
        try place.put(name(1, 1...1), object(1 << 20))
      }
      place.close()
    }
  }

  @Test func afterAFailureTheProgramIsStartedAgain() throws {
    let folder = try TemporaryFolder()
    let place = try pipe(
      script: "if mkdir '\(folder.path)/once'; then exit 1; fi;" + Self.functions + "hear 5; say l; cat")
    defer { place.close() }
    #expect(throws: PlaceFailure.self) { try place.list() }
    #expect(try place.list() == [])
  }

  @Test func closingEndsAProgramThatIgnoresIt() throws {
    let folder = try TemporaryFolder()
    let place = try pipe(
      script: "trap '' TERM HUP; echo $$ >'\(folder.path)/id';" + Self.functions
        + "hear 5; say l; while true; do read line </dev/zero || true; done")
    #expect(try place.list() == [])
    let id = try #require(
      Int32(String(contentsOfFile: "\(folder.path)/id", encoding: .utf8).dropLast()))
    #expect(kill(id, 0) == 0)
    place.close()
    #expect(kill(id, 0) == -1)
  }

  @Test func closingEndsWhatIsBeingPut() throws {
    let place = try pipe(script: Self.functions + "while true; do read line </dev/zero || true; done")
    let putting = Background { try place.put(name(1, 1...1), object(4 << 20)) }
    place.close()
    #expect(throws: PlaceFailure.closed) { try putting.value() }
  }

  @Test func anAnswerBeforeTheRequestIsSentEndsIt() throws {
    let found = try failure(Self.functions + "hear 100; say k; cat >/dev/null") {
      try $0.put(name(1, 1...1), object(4 << 20))
    }
    #expect(found == .broken(place: "ssh:box:reddot", reason: "it sent more responses than requests"))
  }
}
