import Foundation
import Storage
import TerminalHarness
import Testing

/// Full and read-only disks: stored messages can be read, and one sentence contains the remedy.
@Suite struct DiskTroubleTests {
  /// A readable database is read, with any other files next to it.
  enum Log: CaseIterable {
    case none, whole, withoutItsIndex
  }

  @Test(
    .enabled("needs a way to be somebody else than root") { geteuid() != 0 || Nobody.isAvailable },
    arguments: Log.allCases)
  func aFolderThatMayOnlyBeReadIsRead(_ log: Log) throws {
    let household = try Household()
    #expect(try household.run("push", "First").exit == .status(0))
    let store = try Store(path: household.database, now: Date())
    try household.run("push", "Second").expect("")
    let folder = "\(household.home)/copy"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let suffixes: [String]
    switch log {
    case .none:
      try store.close()
      suffixes = [""]
    case .whole: suffixes = ["", "-wal", "-shm"]
    case .withoutItsIndex: suffixes = ["", "-wal"]
    }
    for suffix in suffixes {
      try FileManager.default.copyItem(atPath: household.database + suffix, toPath: "\(folder)/db\(suffix)")
      chmod("\(folder)/db\(suffix)", 0o444)
    }
    withExtendedLifetime(store) {}
    chmod(household.home, 0o755)
    chmod(folder, 0o555)
    defer { chmod(folder, 0o755) }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    func run(_ words: String...) throws -> Ran {
      try Nobody.run(household, words + ["--database", "\(folder)/db"])
    }
    let list = try run("list")
    #expect(list.exit == .status(0) && list.errors == "")
    #expect(list.output.contains("First") && list.output.contains("Second"))
    try run("status").expect("● 2\n")
    let show = try run("show", "2")
    #expect(show.exit == .status(0) && show.output.hasPrefix("Second\n"))
    let mark = try run("mark", "--read", "1")
    #expect(mark.exit == .status(1) && mark.errors.contains("cannot be written"))
    #expect(mark.errors.filter { $0 == "\n" }.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
  }

  @Test(.enabled("needs the right to mount") { MountedDisk.isAvailable })
  func aFileSystemThatMayOnlyBeReadIsRead() throws {
    let ran = try MountedDisk.run(
      Household(), size: "4m",
      """
      r push First && r push Second
      mount -o remount,ro "$disk"
      r status
      r show 1 | head -1
      r list | wc -l
      r push Third
      echo "push: $?"
      """)
    #expect(ran.output == "● 2\nFirst\n2\npush: 1\n")
    #expect(ran.errors.contains("cannot be written: Read-only file system; check the permissions"))
    #expect(ran.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test(.enabled("needs the right to mount") { MountedDisk.isAvailable }, arguments: ["500k", "800k", "28k"])
  func onAFullDiskNothingThatWasAcknowledgedIsLost(size: String) throws {
    let ran = try MountedDisk.run(
      Household(), size: size,
      """
      text=$(head -c 20000 /dev/zero | tr '\\0' x)
      count=0
      while r push "Message $count" --body "$text" 2>>"$HOME/errors" && [ $count -lt 100 ]; do count=$((count+1)); done
      head -c 900000 /dev/zero >"$disk/rest" 2>/dev/null
      echo $((count - $(r list | wc -l)))
      unread=$(r status | tr -cd 0-9)
      echo $((count - ${unread:-0}))
      rm "$disk/rest"
      cat "$HOME/errors" >&2
      """)
    #expect(ran.output == "0\n0\n")
    // The list may be empty, with a hint.
    let said = ran.errors.split(separator: "\n").filter { !$0.contains("nothing is followed yet") }
    #expect(said.count == 1, "\(ran.errors)")
    #expect(ran.errors.contains("is full; free some space and try again; nothing was lost"))
  }
}
