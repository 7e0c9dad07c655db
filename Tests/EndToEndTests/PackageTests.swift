import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The Debian package: its content, and that its program starts where it was unpacked.
@Suite struct PackageTests {
  private static let resources = Project.folder.appending(path: "Resources").path
  /// Compressing the debug build takes longer than all the rest.
  private static let uncompressed = ["DPKG_DEB_COMPRESSOR_TYPE": "none"]
  private static let isDebian = FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-deb")

  @Test(.enabled(if: isDebian)) func itsProgramRunsInAFolderOfItsOwn() throws {
    let household = try Household()
    func run(_ program: String, _ arguments: String...) throws -> Ran {
      let running = try Running(
        program, arguments, environment: household.environment.merging(Self.uncompressed) { $1 },
        input: "/dev/null", keeping: household)
      return try running.waitForEnd()
    }
    let packaged = try run("\(Self.resources)/package-deb", BuiltProduct.path("reddot"), household.home)
    #expect(packaged.exit == .status(0), "\(packaged.errors)")
    let package = packaged.output.trimmingCharacters(in: .newlines)
    let root = "\(household.home)/root"
    #expect(try run("/usr/bin/dpkg-deb", "-x", package, root).exit == .status(0))
    for file in [
      "share/man/man1/reddot.1.gz", "share/man/man5/reddot-config.5.gz", "share/man/man7/reddot-keys.7.gz",
      "share/man/man7/reddot-query.7.gz", "share/man/man7/reddot-services.7.gz",
      "share/man/man7/reddot-rules.7.gz", "share/man/man7/reddot-formats.7.gz",
      "share/man/man7/reddot-sync.7.gz",
      "share/bash-completion/completions/reddot",
      "share/zsh/vendor-completions/_reddot", "share/fish/vendor_completions.d/reddot.fish",
      "lib/systemd/user/reddot-poll.service", "lib/systemd/user/reddot-poll.timer",
      "lib/systemd/user/reddot-catch.service",
      "share/applications/reddot.desktop", "share/doc/reddot/copyright",
      "share/doc/reddot/examples/config.toml", "share/doc/reddot/examples/sync.sql",
    ] {
      #expect(FileManager.default.fileExists(atPath: "\(root)/usr/\(file)"), "\(file)")
    }
    let changes = try run("/bin/sh", "-c", "gzip -dc '\(root)/usr/share/doc/reddot/changelog.Debian.gz'")
      .output
    let versioned = try #require(package.split(separator: "/").last).split(separator: "_")[1]
    #expect(
      changes.hasPrefix("reddot (\(versioned)) unstable; urgency=medium\n\n  * "), "\(changes.prefix(80))")
    #expect(changes.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let service = try household.text(of: "\(root)/usr/lib/systemd/user/reddot-poll.service")
    #expect(service.contains("ExecStart=/usr/bin/reddot poll"))
    let depends = try run("/usr/bin/dpkg-deb", "-f", package, "Depends").output
    for library in ["libc6 (>= 2.", "libncursesw6", "libsqlite3-0", "libxml2", "libcurl4"] {
      #expect(depends.contains(library), "\(depends)")
    }
    let program = "\(root)/usr/bin/reddot"
    #expect(try run(program, "push", "From the package").exit == .status(0))
    #expect(try run(program, "list").output.contains("From the package"))
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    try terminal.start(program, environment: household.environment, keeping: household)
    try terminal.wait(forText: "From the package")
    try terminal.leave()
  }

  @Test(.enabled(if: isDebian)) func theHubHasAPackageOfItsOwn() throws {
    let household = try Household()
    func run(_ program: String, _ arguments: String...) throws -> Ran {
      let running = try Running(
        program, arguments, environment: household.environment.merging(Self.uncompressed) { $1 },
        input: "/dev/null", keeping: household)
      return try running.waitForEnd()
    }
    let packaged = try run(
      "\(Self.resources)/package-deb", "--hub", BuiltProduct.path("reddot-hub"), household.home)
    #expect(packaged.exit == .status(0), "\(packaged.errors)")
    let package = packaged.output.trimmingCharacters(in: .newlines)
    #expect(package.contains("/reddot-hub_"))
    let root = "\(household.home)/root"
    #expect(try run("/usr/bin/dpkg-deb", "-x", package, root).exit == .status(0))
    for file in [
      "share/man/man1/reddot-hub.1.gz", "share/bash-completion/completions/reddot-hub",
      "share/doc/reddot-hub/copyright", "share/doc/reddot-hub/changelog.Debian.gz",
    ] {
      #expect(FileManager.default.fileExists(atPath: "\(root)/usr/\(file)"), "\(file)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(root)/usr/share/man/man1/reddot.1.gz"))
    let depends = try run("/usr/bin/dpkg-deb", "-f", package, "Depends").output
    #expect(
      depends.contains("libsqlite3-0") && !depends.contains("libncursesw6") && !depends.contains("libcurl4"))
    let unit = try household.text(of: "\(root)/usr/lib/systemd/system/reddot-hub.service")
    for line in [
      "ExecStart=/usr/bin/reddot-hub serve", "DynamicUser=yes", "ProtectSystem=strict", "LimitNOFILE=65536",
    ] {
      #expect(unit.contains("\n\(line)\n"), "\(line)")
    }
    // The sample without its comment signs is a valid settings file with the defaults.
    let sample = try household.text(of: "\(root)/usr/share/doc/reddot-hub/examples/reddot-hub.toml")
      .replacing(#/(?m)^# (?=[a-z\[])/#, with: "")
      .replacing("/var/lib/reddot-hub", with: household.home)
    let settings = try household.write("hub.toml", sample)
    let added = try run("\(root)/usr/bin/reddot-hub", "feed", "add", "ops", "--config", settings)
    #expect(
      added.exit == .status(0) && added.output == "https://hub.example/v1/feeds/ops\n", "\(added.errors)")
  }

  @Test(.enabled(if: isDebian)) func withoutAProgramItSaysHowToBuildOne() throws {
    let household = try Household()
    let running = try Running(
      "\(Self.resources)/package-deb", ["\(household.home)/none"], environment: household.environment,
      input: "/dev/null", keeping: household)
    let ran = try running.waitForEnd()
    #expect(ran.exit == .status(1))
    #expect(
      ran.errors
        == "package-deb: \(household.home)/none is not there; without an argument package-deb builds it\n"
    )
  }
}
