import Foundation
import Testing

/// The programs that the tests and the gate start: only those of a bare Debian with Swift, and those that
/// Resources/install-packages installs.
struct StartedProgramsTests {
  /// The programs of Debian's essential packages, and of those that Swift needs (git, binutils). ps is not included.
  private static let base = words(
    """
    awk bash cat dd df dirname dpkg-deb env false flock git grep gzip head ls mkdir mktemp mount mv printf rm rmdir sed setpriv
    sh sleep sort swift tail tee test timeout touch tr true unshare wc yes
    """)
  /// The commands that a shell has built in.
  private static let shell = words(
    """
    cd command continue declare do done echo else esac exec exit export false fi for function if kill local printf pwd read set
    shift source test then trap true ulimit umask unset wait while
    """)
  /// The programs whose tests are skipped if they are missing.
  private static let optional = words(
    """
    curl dbus-daemon dunst dunstctl Xvfb initdb jq nginx notify-send notmuch openssl pg_ctl pg_dump prometheus-alertmanager psql
    rsync ssh ssh-keygen sshd
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Returns the packages that are installed for the tests or the program, without headers, each with a program of its
  /// name.
  private static func packages() throws -> Set<String> {
    let script = try LayeringTests.text("Resources/install-packages")
    let lists = script.matches(of: #/(?m)^(?:pictures|tests)="(.*)"$/#).map { String($0.1) }
    #expect(lists.count == 2)
    return words(lists.joined(separator: " ")).filter { !$0.hasSuffix("-dev") }
  }

  /// The sources of the tests, by path.
  private static func tests() throws -> [(path: String, text: String)] {
    let files = try #require(
      FileManager.default.enumerator(atPath: LayeringTests.root.appending(path: "Tests").path))
    return try files.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift") && !$0.hasSuffix("StartedProgramsTests.swift")
    }.map { ($0, try LayeringTests.text("Tests/\($0)")) }
  }

  /// Returns the words at the beginning of a command, except for functions that the script defines.
  private static func commands(ofScript text: String) -> Set<String> {
    let begin =
      #/(?:^|[;|&({\n]|\$\(|\b(?:do|then|else|exec|if|while|!)\s)\s*([a-z][a-z0-9_.+-]*)(?=[\s;|&)]|$)/#
    let functions = Set(text.matches(of: #/([a-z]\w*)\(\)/#).map { String($0.1) })
    return Set(text.matches(of: begin).map { String($0.1) }).subtracting(functions)
  }

  /// Returns the programs that a test's source names: with a path, as the first word of a program that it starts, or in
  /// a script for a shell.
  private static func programs(of source: String) -> Set<String> {
    var names = Set(
      source.matches(of: #/(?m)(?:^|[\s"'(,=!])\/(?:usr\/)?s?bin\/([A-Za-z][a-z0-9_.+-]*)/#).map {
        String($0.1)
      }
    )
    names.formUnion(
      source.matches(
        of: #/\b(?:program\(|detach\(\[|\bProgram\(\[|StartedProgram\(\s*\[)"([a-z][a-z0-9_.+-]*)"/#
      )
      .map { String($0.1) })
    for match in source.matches(of: #/"-u?c",\s*"((?:[^"\\]|\\.)+)"/#) {
      let text = String(match.1).replacing(#/\\\((?:[^()]|\([^()]*\))*\)/#, with: "X")
        .replacing("\\\"", with: "\"").replacing("\\n", with: "\n")
      names.formUnion(commands(ofScript: text))
    }
    for match in source.matches(of: #/"-u?c",\s*\#?"""\n([^`]*?)\n\s*"""/#) {
      names.formUnion(commands(ofScript: String(match.1)))
    }
    return names
  }

  @Test func aBareDebianAndTheInstalledPackagesHaveThem() throws {
    let known = try Self.base.union(Self.shell).union(Self.optional).union(Self.packages())
    // These are created by the tests, missing on purpose, or only named in settings.
    let own = Self.words("reddot reddot-hub record script no-such-program no-such-browser w3m")
    var found: Set<String> = []
    for (path, text) in try Self.tests() {
      let programs = Self.programs(of: text)
      found.formUnion(programs)
      let others = programs.subtracting(known).subtracting(own).sorted()
      #expect(
        others == [], "\(path): use the shell or a stand-in, or install it in Resources/install-packages")
    }
    #expect(found.isSuperset(of: ["sh", "tmux", "chafa", "sleep", "dpkg-deb", "flock"]))
    for script in [".ci/run", "Resources/check-prose", "Resources/run-tests"] {
      let text = try LayeringTests.text(script).replacing(#/(?m)^\s*#.*$/#, with: "")
      #expect(Self.commands(ofScript: text).subtracting(known).sorted() == [], "\(script)")
    }
  }

  /// The tests with these servers are skipped on other machines.
  @Test func theGateInstallsTheServers() throws {
    let script = try LayeringTests.text("Resources/install-packages")
    let servers = "curl jq nginx notmuch openssh-server postgresql prometheus-alertmanager rsync"
    #expect(script.contains("--servers) servers=\"\(servers)\""))
    #expect(try LayeringTests.text(".ci/run").contains("\nResources/install-packages --servers || "))
  }

  @Test func everyInstalledPackageIsUsed() throws {
    let words = try Set(
      Self.tests().flatMap { _, text in
        text.replacing(#/(?m)^ *\/\/.*$/#, with: "").split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(
          String.init)
      })
    let unused = try Self.packages().subtracting(words)
    #expect(unused == [], "no test uses them")
  }
}
