import Basics
import Foundation

/// The network interface of the default route, read from the kernel's files.
package struct DefaultRoute: Sendable {
  /// The folder that contains `proc` and `sys`; empty for the root folder. Tests use another one.
  package var root = ""

  package init(root: String = "") { self.root = root }

  /// Whether the interface is wireless. It is `false` if there is no default route, or the system has no such files.
  package var isWifi: Bool {
    guard let interface, interface != ".", interface != "..", !interface.contains("/") else { return false }
    let folder = "\(root)/sys/class/net/\(interface)"
    return ["wireless", "phy80211"].contains {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)")
    }
  }

  /// The name of the interface that the default route with the lowest metric uses; IPv4 is tried first.
  package var interface: String? { versionFour ?? versionSix }

  /// The interface of the IPv4 route. Each line of the file is a route: `Iface Destination Gateway Flags RefCnt Use
  /// Metric Mask …`.
  private var versionFour: String? {
    let routes = fields("route").compactMap { fields -> (name: String, metric: Int)? in
      guard fields.count > 7, fields[1] == "00000000", fields[7] == "00000000", let metric = Int(fields[6])
      else { return nil }
      return (fields[0], metric)
    }
    return routes.min { $0.metric < $1.metric }?.name
  }

  /// The interface of the IPv6 route. Each line of the file is a route: destination, its prefix length, source, its
  /// prefix length, next hop, metric, …, flags, interface.
  private var versionSix: String? {
    let routes = fields("ipv6_route").compactMap { fields -> (name: String, metric: Int)? in
      guard fields.count > 9, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00", fields[9] != "lo",
        let metric = Int(fields[5], radix: 16)
      else { return nil }
      return (fields[9], metric)
    }
    return routes.min { $0.metric < $1.metric }?.name
  }

  /// Returns the words of each line of a file in `/proc/net`.
  private func fields(_ file: String) -> [[String]] {
    // Without such a file (no IPv6, no /proc), there is no such route.
    guard let text = try? String(contentsOfFile: "\(root)/proc/net/\(file)", encoding: .utf8) else {
      return []
    }
    return text.split(onBytes: "\n").map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
  }
}

/// The operating system's version, from os-release(5).
package enum SystemVersion {
  /// Returns the `VERSION_ID` in the text of an os-release file, or the fallback if there is none.
  package static func read(osRelease: String?, fallback: String) -> String {
    for line in (osRelease ?? "").split(onBytes: "\n") where line.hasPrefix("VERSION_ID=") {
      let value = line.dropFirst("VERSION_ID=".count).trimmingCharacters(
        in: CharacterSet(charactersIn: "\"' "))
      if !value.isEmpty { return value }
    }
    return fallback
  }

  /// The version of this system, or the kernel's version if there is no os-release.
  package static var current: String {
    // Either file may be missing; without both, the kernel's version is used.
    let text = ["/etc/os-release", "/usr/lib/os-release"].lazy.compactMap {
      try? String(contentsOfFile: $0, encoding: .utf8)
    }.first
    let kernel = ProcessInfo.processInfo.operatingSystemVersion
    return read(
      osRelease: text, fallback: "\(kernel.majorVersion).\(kernel.minorVersion).\(kernel.patchVersion)")
  }
}
