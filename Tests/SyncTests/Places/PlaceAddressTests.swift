import Foundation
import Sync
import Testing

@Suite struct PlaceAddressTests {
  private static let ssh = [
    "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=30",
  ]

  @Test(arguments: [
    "/srv/reddot", "Sync/reddot", "with space", "a:b", "ssh", "-dash", "postgresql", "C:/reddot",
  ])
  func aPathIsAFolder(text: String) throws {
    let address = try PlaceAddress(text)
    #expect(address == .folder(text))
    #expect(address.description == text)
    #expect(address.program(beside: nil) == nil)
  }

  @Test(arguments: [
    ("ssh:box:reddot", "box", "reddot"), ("ssh:ann@box:/srv/reddot", "ann@box", "/srv/reddot"),
    ("ssh:box:~/Sync/reddot", "box", "Sync/reddot"), ("ssh:box:~", "box", "."),
    ("ssh:box:a b", "box", "'a b'"),
    ("ssh:box:it's", "box", "'it'\\''s'"), ("ssh:box:$(touch made)", "box", "'$(touch made)'"),
    ("ssh:box:;touch made", "box", "';touch made'"), ("ssh:box:-rf", "box", "./-rf"),
    ("ssh:box:~ann/x", "box", "'~ann/x'"), ("ssh:[::1]:reddot", "::1", "reddot"),
    ("ssh:box:a:b", "box", "a:b"),
    ("ssh:box:*", "box", "'*'"), ("ssh:box:größe", "box", "'größe'"),
  ])
  func aHostIsAskedBySSH(text: String, host: String, word: String) throws {
    let address = try PlaceAddress(text)
    #expect(address.program(beside: nil)?.words == Self.ssh + [host, "reddot", "sync", "serve", word])
    #expect(address.program(beside: nil)?.environment == [:])
    #expect(address.description == text)
  }

  @Test(arguments: [
    ("", "names no sync location"), ("ssh:", "names no host; write ssh:HOST:PATH"),
    ("ssh::reddot", "names no host; write ssh:HOST:PATH"),
    ("ssh:box", "names no folder; write ssh:HOST:PATH"),
    ("ssh:box:", "names no folder; write ssh:HOST:PATH"),
    ("ssh:[::1]reddot", "names no folder; write ssh:HOST:PATH"),
    (
      "ssh:-oProxyCommand=touch made:x",
      "names the host -oProxyCommand=touch made, and a host cannot begin with a hyphen"
    ),
    ("ssh:[-x]:y", "names the host -x, and a host cannot begin with a hyphen"),
    (
      "https://hub.example/path",
      "is not the address of a hub; write https://HOST or https://HOST:PORT, without a path"
    ),
    ("ssh:box:a\nb", "has a character that is not allowed"),
    ("a\u{0}b", "has a character that is not allowed"),
    (
      "ssh://box/reddot",
      "begins with ssh://, which is not a sync location; use a folder, ssh:HOST:PATH, postgresql://HOST/DATABASE or https://HUB"
    ),
    (
      "ftp://box/reddot",
      "begins with ftp://, which is not a sync location; use a folder, ssh:HOST:PATH, postgresql://HOST/DATABASE or https://HUB"
    ),
  ])
  func whatIsNoPlaceIsSaid(text: String, sentence: String) {
    let mistake = #expect(throws: PlaceAddress.Mistake.self) { try PlaceAddress(text) }
    #expect(mistake?.description == sentence)
  }

  @Test(arguments: [
    ("postgresql://box/ann", "postgresql://box/ann"),
    ("postgresql://ann@box:5432/ann", "postgresql://ann@box:5432/ann"),
    ("postgresql://ann:s3cret@box/ann", "postgresql://ann@box/ann"),
    ("postgresql://ann:s3/cr@s3cret?@box/ann", "postgresql://ann@box/ann"),
    ("postgresql://box/ann?user=ann&password=s3cret", "postgresql://box/ann?user=ann"),
    ("postgresql://box/ann?pass%77ord=s3cret&sslmode=require", "postgresql://box/ann?sslmode=require"),
    ("postgresql://box/ann?PASSWORD=s3cret", "postgresql://box/ann"),
    ("postgresql://", "postgresql://"), ("postgresql://:s3cret@", "postgresql://@"),
  ])
  func noPasswordOfADatabaseIsShown(text: String, shown: String) throws {
    let address = try PlaceAddress(text)
    #expect(address.description == shown)
    var dumped = ""
    dump(address, to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect(!String(reflecting: address).contains("s3cret"))
    let program = try #require(address.program(beside: nil))
    #expect(program.words == ["reddot-postgresql"])
    #expect(program.environment == ["REDDOT_PLACE": text])
  }

  /// A name without its `@`: the intended password would be shown as a port.
  @Test(arguments: [
    "postgresql://ann:s3cret", "postgresql://ann:s3cret/reddot", "postgresql://box,ann:s3cret/x",
  ])
  func aPortThatIsNoNumberIsRefused(text: String) {
    #expect(throws: PlaceAddress.Mistake.badPort) { try PlaceAddress(text) }
  }

  @Test(arguments: [
    ("https://hub.example", "https://hub.example"), ("https://hub.example:8443/", "https://hub.example:8443"),
    ("http://127.0.0.1:8377", "http://127.0.0.1:8377"), ("https://[2001:db8::1]", "https://[2001:db8::1]"),
  ])
  func aHubIsAnAddressWithoutPath(text: String, shown: String) throws {
    let address = try PlaceAddress(text)
    #expect(address == .hub(shown) && address.description == shown)
    #expect(address.program(beside: nil) == nil && !address.isFolder)
  }

  /// Everyone in the network could read the hub's token; a name or a password in the address is not one of a hub.
  @Test(arguments: [
    "http://hub.example", "https://ann:s3cret@hub.example", "https://hub.example?x", "https://",
  ])
  func whatWouldShowATokenIsRefused(text: String) {
    #expect(throws: PlaceAddress.Mistake.self) { try PlaceAddress(text) }
  }

  @Test(arguments: ["postgresql://[::1]:5432/a", "postgresql://a:1,b:2/c", "postgresql://box:/a"])
  func portsAndHostsAreAccepted(text: String) throws {
    #expect(try PlaceAddress(text) == .postgreSQL(text))
  }

  @Test func theProgramBesideIsTaken() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/reddot-postgresql"
    let address = try PlaceAddress("postgresql://box/ann")
    #expect(address.program(beside: folder.path)?.words == ["reddot-postgresql"])
    try "#!/bin/sh\necho reddot-sync 1; cat\n".write(toFile: path, atomically: false, encoding: .utf8)
    try makeExecutable(path)
    #expect(address.program(beside: folder.path)?.words == [path])
  }

  @Test func wordsAreAProgram() throws {
    let address = try PlaceAddress(program: ["rclone", "serve it", "a'b"])
    #expect(address.program(beside: nil)?.words == ["rclone", "serve it", "a'b"])
    #expect(address.description == "rclone 'serve it' 'a'\\''b'")
    #expect(throws: PlaceAddress.Mistake.empty) { try PlaceAddress(program: []) }
    #expect(throws: PlaceAddress.Mistake.empty) { try PlaceAddress(program: ["", "x"]) }
    #expect(throws: PlaceAddress.Mistake.controlCharacter) { try PlaceAddress(program: ["x", "a\u{0}"]) }
  }

  @Test func whatIsNamedIsOpened() throws {
    let folder = try TemporaryFolder()
    let place = try PlaceAddress(folder.path).open(environment: [:], hub: noHub)
    #expect(try place.put(.marker, [1]) == .done)
    let program = try PlaceAddress(program: ["sh", "-c", "echo \"$0\" >&2; exit 1", "odd"]).open(
      environment: ["PATH": "/usr/bin:/bin"], hub: noHub)
    #expect(throws: PlaceFailure.ended(program: "sh", line: "odd")) { try program.list() }
  }
}
