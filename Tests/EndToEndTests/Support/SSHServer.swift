import Foundation
import Platform
import TerminalHarness
import TestBasics

/// sshd on loopback, as the present user, with separate keys. A forced command allows only `reddot sync serve` of one
/// folder. It ends with this process at the latest.
final class SSHServer {
  private static let server = "/usr/sbin/sshd"
  static let isInstalled = [server, "/usr/bin/ssh", "/usr/bin/ssh-keygen"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Has the keys, the settings and the folder that is served.
  private let household: Household
  private let program: PipedProgram
  private let alarm: Alarm

  init() throws {
    household = try Household()
    alarm = try Alarm()
    // As the program does.
    signal(SIGPIPE, SIG_IGN)
    for name in ["host", "user"] {
      let ran = try Running(
        "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", "\(household.home)/\(name)"],
        environment: household.environment
      ).waitForEnd()
      guard ran.exit == .status(0) else { throw HouseholdFailure(ran.errors) }
    }
    let (home, environment) = (household.home, household.environment)
    // For root, sshd needs this folder, which Debian creates when the service starts.
    if geteuid() == 0 {
      try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    }
    let user = String(cString: getpwuid(geteuid()).pointee.pw_name)
    let publicKey = try household.text(of: "\(home)/user.pub")
    try household.write(
      "authorized_keys", "command=\"exec /bin/sh '\(home)/forced'\",restrict \(publicKey)")
    // A port may have been taken since it was free.
    for _ in 0..<10 {
      let port = try freePort()
      try household.write(
        "sshd_config",
        """
        ListenAddress 127.0.0.1
        Port \(port)
        HostKey \(home)/host
        AuthorizedKeysFile \(home)/authorized_keys
        PidFile none
        UsePAM no
        StrictModes no
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        PermitRootLogin yes

        """)
      let script = """
        '\(Self.server)' -D -e -f '\(home)/sshd_config' 2>&1 </dev/null &
        read -r end
        kill $!
        """
      let started = try PipedProgram(["/bin/sh", "-c", script], environment: environment)
      guard try Self.listens(started, alarm) else { continue }
      program = started
      let known = try household.text(of: "\(home)/host.pub").split(separator: " ").prefix(2).joined(
        separator: " ")
      try household.write("known_hosts", "[127.0.0.1]:\(port) \(known)\n")
      try household.write(
        "ssh_config",
        """
        Host box
          HostName 127.0.0.1
          Port \(port)
          User \(user)
          IdentityFile \(home)/user
          IdentitiesOnly yes
          IdentityAgent none
          UserKnownHostsFile \(home)/known_hosts
          StrictHostKeyChecking yes

        """)
      // ssh looks for its settings in the home folder of the user, whatever HOME says.
      try household.write("bin/ssh", "#!/bin/sh\nexec /usr/bin/ssh -F '\(home)/ssh_config' \"$@\"\n")
      guard chmod("\(home)/bin/ssh", 0o700) == 0 else { throw HouseholdFailure("chmod: errno \(errno)") }
      try serve()
      return
    }
    throw HouseholdFailure("sshd does not listen: \(try household.text(of: "\(home)/sshd_config"))")
  }

  /// The environment that a machine needs to connect to it.
  var environment: [String: String] { ["PATH": "\(household.home)/bin:/usr/bin:/bin"] }
  /// The place in the settings of machines; the forced command contains the folder.
  let place = "ssh:box:place"

  /// Sets the command of the next sessions.
  ///
  /// - Parameters:
  ///   - greeting: the text that a shell prints at the start of its session.
  ///   - end: the number of bytes of responses after which the session is killed, or `nil` for never.
  func serve(greeting: String = "", killedAfter end: Int? = nil) throws {
    let command = "'\(BuiltProduct.path("reddot"))' sync serve '\(household.home)/place'"
    // The parent of its shell is the session's own process of sshd.
    let ending = end.map { " | { dd bs=1 count=\($0) 2>/dev/null; kill -KILL $PPID; }" } ?? ""
    try household.write("forced", "printf '%s' '\(greeting)'\n\(command)\(ending)\n")
  }

  /// Whether it listens; otherwise it has ended.
  private static func listens(_ program: PipedProgram, _ alarm: Alarm) throws -> Bool {
    var said: [UInt8] = []
    var nothing: ArraySlice<UInt8> = []
    while !String(decoding: said, as: UTF8.self).contains("Server listening on 127.0.0.1") {
      guard case .moved(let came) = program.move(&nothing, within: HangLimit.duration, alarm: alarm) else {
        throw HouseholdFailure("sshd says \(String(decoding: said, as: UTF8.self))")
      }
      said += came
      if String(decoding: said, as: UTF8.self).contains("Address already in use") { return false }
    }
    return true
  }
}
