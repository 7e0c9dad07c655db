import Basics
import Foundation
import TerminalHarness
import TestBasics
import Testing

@testable import Sync

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct FolderPlaceTests {
  private let folder: TemporaryFolder
  private let place: FolderPlace
  private let device = String(repeating: "01", count: 16)

  init() throws {
    folder = try TemporaryFolder()
    place = try FolderPlace(path: folder.path)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat("\(folder.path)/\(path)", &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private func make(_ path: String, _ bytes: [UInt8] = [1]) {
    #expect(FileManager.default.createFile(atPath: "\(folder.path)/\(path)", contents: Data(bytes)))
  }

  @Test func itsFilesAreForThePersonOnly() throws {
    #expect(try place.put(name(1, 1...30), object(9)) == .done)
    #expect(try place.put(.marker, object(9)) == .done)
    let file = "\(device)/000000000001-000000000030.ops"
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == [
        String(repeating: "0", count: 32),
        "\(String(repeating: "0", count: 32))/000000000000-000000000000.ops",
        device, file,
      ])
    #expect(mode(device) == 0o700)
    #expect(mode(file) == 0o600)
  }

  @Test func otherNamesAreIgnored() throws {
    #expect(try place.put(name(1, 1...30), object(9)) == .done)
    for file in [
      "\(device)/000000000001-000000000030.sync-conflict-20261127-101010-ABCDEFG.ops",
      "\(device)/000000000001-000000000030 (conflicted copy).ops",
      "\(device)/000000000001-000000000030.ops.part",
      "\(device)/000000000031-000000000030.ops", "\(device)/00000000001-000000000030.ops",
      "\(device)/1-30.ops",
      "\(device)/.tmp-0123", "\(device)/.000000000040-000000000041.ops.tmp",
      "\(device)/00000000000a-00000000000b.ops", "readme.txt", String(repeating: "02", count: 16),
    ] { make(file) }
    let files = FileManager.default
    for other in [String(repeating: "0A", count: 16), "0101", ".stfolder"] {
      try files.createDirectory(atPath: "\(folder.path)/\(other)", withIntermediateDirectories: true)
      make("\(other)/000000000001-000000000030.ops")
    }
    try files.createDirectory(
      atPath: "\(folder.path)/\(device)/000000000031-000000000031.ops", withIntermediateDirectories: true)
    #expect(try place.list() == [name(1, 1...30)])
    #expect(try place.get(name(1, 31...31)) == nil)
    #expect(throws: PlaceFailure.self) { try place.put(name(1, 31...31), object(3)) }
    #expect(throws: PlaceFailure.self) { try place.put(name(2, 1...1), object(3)) }
    try place.delete(name(1, 31...31))
    #expect(files.fileExists(atPath: "\(folder.path)/\(device)/000000000031-000000000031.ops"))
  }

  @Test(arguments: [FolderFiles.Naming.link, .renameIfAbsent, .lookAndRename])
  func aFileSystemMayLackLinks(naming: FolderFiles.Naming) throws {
    var files = FolderFiles(path: folder.path)
    files.namings = [naming]
    #expect(try files.write(name(1, 1...1), object(9)) == .done)
    #expect(try files.write(name(1, 1...1), object(9)) == .done)
    #expect(try files.write(name(1, 1...1), object(8)) == .anotherIsThere)
    // An object that the check before doesn't find.
    #expect(symlink("nothing", "\(folder.path)/\(device)/000000000002-000000000002.ops") == 0)
    #expect(throws: PlaceFailure.self) { try files.write(name(1, 2...2), object(9)) }
    #expect(try files.bytes(of: name(1, 1...1)) == object(9))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(device)").sorted() == [
        "000000000001-000000000001.ops", "000000000002-000000000002.ops",
      ])
  }

  @Test func linksAreNotFollowed() throws {
    let secret = try TemporaryFolder()
    let file = "000000000001-000000000001.ops"
    try Data([7]).write(to: URL(filePath: "\(secret.path)/\(file)"))
    _ = try place.put(name(1, 2...2), object(9))
    #expect(symlink("\(secret.path)/\(file)", "\(folder.path)/\(device)/\(file)") == 0)
    #expect(symlink(secret.path, "\(folder.path)/\(String(repeating: "02", count: 16))") == 0)
    #expect(mkfifo("\(folder.path)/\(device)/000000000003-000000000003.ops", 0o600) == 0)
    #expect(try place.list() == [name(1, 2...2)])
    for other in [name(1, 1...1), name(2, 1...1), name(1, 3...3)] {
      #expect(try place.get(other) == nil)
      #expect(throws: PlaceFailure.self) { try place.put(other, object(3)) }
      try place.delete(other)
    }
    #expect(try Data(contentsOf: URL(filePath: "\(secret.path)/\(file)")) == Data([7]))
    // The folder itself may be a link.
    let link = "\(secret.path)/link"
    #expect(symlink(folder.path, link) == 0)
    #expect(try FolderPlace(path: link).list() == [name(1, 2...2)])
  }

  @Test func whatWasNeverFinishedIsRemovedAfterADay() throws {
    _ = try place.put(name(1, 1...1), object(9))
    for (file, age) in [(".tmp-new", 80_000), (".tmp-old", 90_000), ("notes", 90_000)] {
      make("\(device)/\(file)")
      let past = Date(timeIntervalSinceNow: -Double(age))
      try FileManager.default.setAttributes(
        [.modificationDate: past], ofItemAtPath: "\(folder.path)/\(device)/\(file)")
    }
    #expect(try place.list() == [name(1, 1...1)])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(device)").sorted() == [
        ".tmp-new", "000000000001-000000000001.ops", "notes",
      ])
  }

  @Test func ofAFileThatIsTooLongOnlyABeginningIsRead() throws {
    _ = try place.put(name(1, 1...1), object(9))
    #expect(truncate("\(folder.path)/\(device)/000000000001-000000000001.ops", 1 << 40) == 0)
    #expect(try place.get(name(1, 1...1))?.count == Limits.placeObjectBytes + 1)
    #expect(throws: PlaceFailure.self) {
      try place.put(name(1, 2...2), [UInt8](repeating: 0, count: Limits.placeObjectBytes + 1))
    }
  }

  @Test func aNumberThatIsTooLongIsRefused() throws {
    #expect(throws: PlaceFailure.self) { try place.put(name(1, 1...Int64.max), object(3)) }
    #expect(throws: PlaceFailure.self) { try place.get(name(1, 1_000_000_000_000...1_000_000_000_000)) }
    #expect(try place.list() == [])
  }

  @Test func aMissingFolderIsMadeByTheMarkerOnly() throws {
    let path = "\(folder.path)/reddot"
    let place = try FolderPlace(path: path)
    let missing = PlaceFailure.missing(place: path)
    #expect(throws: missing) { try place.list() }
    #expect(throws: missing) { try place.get(.marker) }
    #expect(throws: missing) { try place.put(name(1, 1...1), object(3)) }
    #expect(throws: missing) { try place.delete(name(1, 1...1)) }
    #expect(throws: missing) { try place.changed(seconds: 0) }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(
      missing.description
        == "nothing is set up in \(path); mount it if it is not mounted, or run reddot sync init \(path) on the first machine"
    )
    #expect(try place.put(.marker, object(3)) == .done)
    #expect(mode("reddot") == 0o700)
    #expect(try place.list() == [.marker])
    // Only one level is created: the folder above may be that of a disk that isn't mounted.
    #expect(throws: PlaceFailure.missing(place: "\(folder.path)/a/b")) {
      try FolderPlace(path: "\(folder.path)/a/b").put(.marker, object(3))
    }
  }

  @Test func aFileIsNoPlace() throws {
    make("file")
    let place = try FolderPlace(path: "\(folder.path)/file")
    #expect(throws: PlaceFailure.broken(place: place.path, reason: "Not a directory")) { try place.list() }
    #expect(throws: PlaceFailure.broken(place: place.path, reason: "Not a directory")) {
      try place.put(.marker, [])
    }
  }

  @Test func aFolderThatMayNotBeWrittenSaysSo() throws {
    let path = geteuid() == 0 ? "/sys/kernel" : "\(folder.path)/shut"
    if geteuid() != 0 { #expect(mkdir(path, 0o500) == 0) }
    let place = try FolderPlace(path: path)
    #expect(try place.list() == [])
    let failure = #expect(throws: PlaceFailure.self) { try place.put(.marker, object(3)) }
    guard case .notAllowed(path, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure?.description.hasPrefix("\(path) may not be written: ") == true)
  }

  /// Whether a shell can be run with a separate small disk.
  private static let hasMounts: Bool = {
    guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else {
      return false
    }
    do {
      let place = try pipe([
        "/usr/bin/unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt && echo reddot-sync 2",
      ])
      defer { place.close() }
      _ = try place.list()
      return false
    } catch {
      return (error as? PlaceFailure) == .notUnderstood(host: "box")
    }
  }()

  @Test(.enabled(if: hasMounts, "skipped: only root can mount a small disk")) func aFullDiskSaysSo() throws {
    signal(SIGPIPE, SIG_IGN)
    let program = BuiltProduct.path("reddot")
    let place = try pipe([
      "/usr/bin/unshare", "-m", "sh", "-c",
      "mount -t tmpfs -o size=256k none '\(folder.path)' && exec '\(program)' sync serve '\(folder.path)'",
    ])
    defer { place.close() }
    #expect(try place.put(name(1, 1...1), object(1000)) == .done)
    #expect(throws: PlaceFailure.full(place: "ssh:box:reddot")) {
      try place.put(name(1, 2...2), object(1 << 20))
    }
    // Nothing of it is left, so there is space for the next one.
    #expect(try place.list() == [name(1, 1...1)])
    #expect(try place.put(name(1, 2...2), object(200_000)) == .done)
    #expect(try place.get(name(1, 2...2)) == object(200_000))
  }

  @Test func aFolderThatGoesAwayEndsTheWaiting() throws {
    let path = "\(folder.path)/reddot"
    let place = try FolderPlace(path: path)
    #expect(try place.put(.marker, object(3)) == .done)
    _ = try place.list()
    let waiting = Background { try place.changed(seconds: longest) }
    try FileManager.default.removeItem(atPath: path)
    do {
      // The marker may be deleted before the folder is.
      #expect(try waiting.value())
    } catch let failure as PlaceFailure {
      #expect(failure == .missing(place: path))
    }
  }

  @Test func aFileThatIsStillBeingCopiedIsNewWhenItIsWhole() throws {
    _ = try place.put(name(1, 1...1), object(9))
    let path = "\(folder.path)/\(device)/000000000002-000000000002.ops"
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(write(file, "ab", 2) == 2)
    _ = try place.list()
    #expect(try !place.changed(seconds: 0))
    #expect(try place.get(name(1, 2...2)) == Array("ab".utf8))
    #expect(write(file, "cd", 2) == 2)
    close(file)
    #expect(try place.changed(seconds: longest))
    #expect(try !place.changed(seconds: 0))
    #expect(try place.get(name(1, 2...2)) == Array("abcd".utf8))
  }

  // MARK: - Names with digests

  @Test func objectsOfOneNumberLieBesideEachOther() throws {
    let (one, other) = (object(9), object(9, seed: 1))
    let names = [one, other].map { place.name(name(1, 1...3), of: $0) }
    for (name, bytes) in zip(names, [one, other]) { #expect(try place.put(name, bytes) == .done) }
    #expect(try place.put(name(1, 1...3), object(8)) == .done)
    #expect(try place.list() == [name(1, 1...3)] + names.sorted())
    for (name, bytes) in zip(names, [one, other]) { #expect(try place.get(name) == bytes) }
    #expect(try place.get(name(1, 1...3)) == object(8))
    let states = try place.states(of: names + [name(1, 1...3), name(2, 1...1)])
    #expect(states.mapValues(\.size) == [names[0]: 9, names[1]: 9, name(1, 1...3): 8])
    try place.delete(names[0])
    #expect(try place.list() == [name(1, 1...3), names[1]])
    #expect(place.name(.marker, of: one) == .marker)
  }

  @Test func aMarkerIsReplacedAtOnce() throws {
    #expect(throws: PlaceFailure.self) { try place.replaceMarker(object(3)) }
    #expect(try place.put(.marker, object(3)) == .done)
    try place.replaceMarker(object(5))
    #expect(try place.get(.marker) == object(5))
    #expect(try place.list() == [.marker])
  }

  @Test func aServedFolderHasNamesWithoutDigests() throws {
    let served = try FolderPlace(path: folder.path, isServed: true)
    let digested = place.name(name(1, 1...3), of: object(9))
    #expect(try place.put(digested, object(9)) == .done)
    #expect(try served.put(name(1, 4...4), object(8)) == .done)
    #expect(try served.list() == [name(1, 1...3), name(1, 4...4)])
    #expect(try served.get(name(1, 1...3)) == object(9))
    #expect(try served.put(name(1, 1...3), object(9)) == .done)
    #expect(try served.put(name(1, 1...3), object(7)) == .anotherIsThere)
    #expect(try !served.changed(seconds: 0))
    try served.delete(name(1, 1...3))
    #expect(try served.list() == [name(1, 4...4)])
    #expect(try place.list() == [name(1, 4...4)])
  }

  @Test func aServedFolderThatIsCarriedTooSaysSo() throws {
    let served = try FolderPlace(path: folder.path, isServed: true)
    for bytes in [object(9), object(8)] {
      #expect(try place.put(place.name(name(1, 1...3), of: bytes), bytes) == .done)
    }
    let client = try pipe([BuiltProduct.path("reddot"), "sync", "serve", folder.path])
    defer { client.close() }
    let sentence = "another program copies \(folder.path) too; use it as a folder on this machine"
    #expect(throws: PlaceFailure.broken(place: "ssh:box:reddot", reason: sentence)) { try client.list() }
    #expect(throws: PlaceFailure.broken(place: folder.path, reason: sentence)) { try served.list() }
  }
}
