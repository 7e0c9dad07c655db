import Foundation
import PlaceStandIns
import Platform
import PostgreSQL
import PostgreSQLStandIn
import Synchronization
import TerminalHarness
import TestBasics

@testable import Sync

/// Longer than any wait of a test.
let longest = Int(HangLimit.duration / .seconds(1))

func name(_ device: UInt8, _ seqs: ClosedRange<Int64>) -> ObjectName {
  ObjectName(device: DeviceID(bytes: [UInt8](repeating: device, count: 16)) ?? .marker, seqs: seqs)
}

/// Returns bytes that depend on their positions, like those of an object.
func object(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
}

/// A folder that exists during a test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/reddot-place-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(.EIO) }
    path = String(cString: made)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      print("\(path) stays behind: \(error)")
    }
  }
}

/// A computation that runs on a separate thread.
final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let end = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      let made = Result { try body() }
      result.withLock { $0 = made }
      end.signal()
    }
  }

  struct Hangs: Error {}

  /// Waits for the value. Call this once.
  func value() throws -> Value {
    guard end.wait(timeout: .now() + .seconds(longest)) == .success, let result = result.withLock({ $0 })
    else {
      throw Hangs()
    }
    return try result.get()
  }
}

/// A sync location in which several connections find the same objects.
final class Premises: Sendable {
  enum Kind: CaseIterable {
    case memory, folder, pipe, hub, postgreSQL

    /// PostgreSQL is left out if no server is installed; ``PostgreSQLTests`` reports that.
    static let allCases: [Kind] =
      [.memory, .folder, .pipe, .hub] + (PostgreSQLServer.isInstalled ? [.postgreSQL] : [])
  }

  let kind: Kind
  let folder: TemporaryFolder
  private let objects = MemoryObjects()
  /// The owner of the rows; for a hub, the user's token.
  private let role: String

  init(_ kind: Kind) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    role =
      switch kind {
      case .postgreSQL: try PostgreSQLServer.shared.role()
      case .hub: try HubHost.shared.person()
      case .memory, .folder, .pipe: ""
      }
    // The program does the same.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Returns the sync location itself, for a ``PlaceServer`` in this process.
  func served() throws -> any Place {
    switch kind {
    case .postgreSQL: try PostgreSQLPlace(PostgreSQLServer.shared.address(role: role))
    case .hub: try HubHost.shared.place(token: role)
    case .folder: try FolderPlace(path: folder.path)
    case .memory, .pipe: try MemoryPlace(objects)
    }
  }

  func connect() throws -> any Place {
    switch kind {
    case .memory: try MemoryPlace(objects)
    case .folder: try FolderPlace(path: folder.path)
    case .pipe: try pipe([BuiltProduct.path("reddot"), "sync", "serve", folder.path])
    case .hub: try HubHost.shared.place(token: role)
    case .postgreSQL: try PostgreSQLServer.shared.place(role: role)
    }
  }
}

func pipe(_ words: [String], silence: Duration = HangLimit.duration) throws -> PipePlace {
  try PipePlace(
    words, environment: ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"], place: "ssh:box:reddot",
    host: "box",
    silence: silence)
}

func pipe(script: String, silence: Duration = HangLimit.duration) throws -> PipePlace {
  try pipe(["sh", "-c", script], silence: silence)
}

func makeExecutable(_ path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
}

/// Opens no sync location at a hub, for addresses of other kinds.
func noHub(_ address: String) throws(PlaceFailure) -> any Place { throw .missing(place: address) }
