import Foundation
import TerminalHarness

/// A shell with its own small disk, which only it and its children can see.
enum MountedDisk {
  private static let unshare = "/usr/bin/unshare"

  static let isAvailable: Bool = {
    guard FileManager.default.isExecutableFile(atPath: unshare) else { return false }
    do {
      let test = ["-m", "/bin/sh", "-c", "mount -t tmpfs none /mnt"]
      return try Running(unshare, test, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]).waitForEnd()
        .exit == .status(0)
    } catch {
      return false
    }
  }()

  /// Runs a script in which `disk` is the folder of the disk and `r` runs the program on a database there.
  static func run(_ household: Household, size: String, _ script: String) throws -> Ran {
    let beginning = """
      set -u
      disk="$HOME/disk"
      mkdir -p "$disk"
      mount -t tmpfs -o size=\(size) none "$disk"
      r() { command=$1; shift; '\(BuiltProduct.path("reddot"))' "$command" --database "$disk/db" "$@"; }

      """
    return try Running(
      unshare, ["-m", "/bin/sh", "-c", beginning + script], environment: household.environment
    ).waitForEnd()
  }
}
