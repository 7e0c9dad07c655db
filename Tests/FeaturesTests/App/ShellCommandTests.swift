import Testing

@testable import reddot

/// Which program a line of a shell ran.
struct ShellCommandTests {
  private static let except: Set<String> = ["vim", "less", "su", "watch", "ssh", "fg"]

  private func text(
    _ line: String, last: String = "", unsure: Bool = false, piped: Bool = false, full: Bool = false,
    variables: [String: String] = [:]
  ) -> String? {
    ShellCommand(
      last.isEmpty ? line : "\(line)\0\(last)", isLineUnsure: unsure, isPiped: piped
    ).text(
      except: Self.except, isFull: full, variables: variables)
  }

  @Test(arguments: [
    ("make", "make"), (" make -j4 test", "make"), ("./tools/build.sh --all", "build.sh"),
    ("FOO=\"a b\" BAR+=c make", "make"), ("'my prog' x", "my prog"), ("\"/opt/a b/run\" x", "run"),
    ("nice -n 10 make all", "make"), ("nice -n10 make", "make"), ("nice -5 make", "make"),
    ("nice --adjustment 5 make", "make"), ("nice --adjustment=5 make", "make"),
    ("env -u X make f", "make"), ("env -uX A=1 B=2 make", "make"), ("env -i PATH=/bin make", "make"),
    ("env -S 'A=1 make -k' x", "make"), ("/usr/bin/env --split-string='make -k' x", "make"),
    ("sudo -u ada -- make", "make"), ("sudo -nu ada make", "make"), ("sudo --user ada A=1 make", "make"),
    ("doas -u ada -C /etc/c make", "make"), ("time -p make", "make"), ("time -f '%e s' -o f make", "make"),
    ("nohup setsid -f stdbuf -oL -e 0 make", "make"), ("xargs -a list -n 1 -P4 make", "make"),
    ("timeout 60 make", "make"), ("timeout -k 5 -s INT 60 make", "make"), ("chrt -f 10 make", "make"),
    ("ionice -c 3 -n7 make", "make"), ("exec -a name make", "make"), ("command make", "make"),
    ("cd / && make", "make"), ("cd '/a b'; FOO=1 make | tee log", "make"), ("make 2>&1 | tail -5", "make"),
    ("make >log 2>&1", "make"), ("2>err make", "make"), (">out <in make", "make"), ("make &>log", "make"),
    ("(cd x; make)", "make"), ("{ make; }", "make"), ("! make", "make"), ("sleep 9 & make", "make"),
    ("for f in a b; do make $f; done", "make"), ("while true; do make; done", "make"),
    ("if test -f x; then make; fi", "make"), ("echo $(vim f) `less`; make", "make"),
    ("diff <(less a) <(less b)", "diff"), ("a=(1 2 3); make", "make"), ("make # vim", "make"),
    ("cat <<EOF\nvim f\nEOF", "cat"), ("cat <<< vim", "cat"), ("make\\\n  all", "make"),
    ("begin; not make; end", "make"), ("ssh -t host make", "make"), ("ssh -p 22 -o A=b host make", "make"),
    ("source env.sh", "source"), ("sleep 2 || true; echo done", "sleep"), ("nice", "nice"),
  ])
  func itsName(_ line: String, _ name: String) { #expect(text(line) == name) }

  @Test(arguments: [
    "vim f", "sudo -u u vim f", "env -u X less f", "nice -n 5 less f", "cd / && vim f",
    "FOO=1 /opt/bin/vim f",
    "sudo -i", "sudo -s", "doas -s", "watch -n 1 make", "ssh host", "ssh -t host vim f", "fg %1",
    "timeout 60 vim f", "echo x | less", "(vim f)", "$EDITOR f", "${EDITOR} f", "", "   ", "make &", "FOO=1",
    "for f in a b", "\u{0}", "'", "((((", "| | ;;", "sudo -u",
  ])
  func noMessage(_ line: String) {
    #expect(text(line, variables: ["EDITOR": "vim -u NONE"]) == nil)
  }

  @Test func aLineThatIsNotInTheHistoryIsKnownByItsLastCommand() {
    // The line is an earlier one.
    #expect(text("make", last: "vim f", unsure: true) == nil)
    #expect(text("vim f", last: "make", unsure: true) == "make")
    #expect(text("", last: "nice -n 5 sleep 2", unsure: true) == "sleep")
    #expect(text("make", last: "", unsure: true) == nil)
    // The same command was typed twice, but is stored only once.
    #expect(text("cd x && nice make | tee f", last: "tee f", unsure: true) == "make")
    #expect(text("git log | less", last: "less", unsure: true) == nil)
    #expect(text("make all", last: "tee f") == "make")
    // The command before the pipe is unknown.
    #expect(text("make | tee f", last: "cat", unsure: true, piped: true) == nil)
    #expect(text("make | cat", last: "cat", unsure: true, piped: true) == "make")
    #expect(text("", last: "true", unsure: true) == nil)
  }

  @Test func allOfIt() {
    #expect(text("FOO=1 nice make all", full: true) == "FOO=1 nice make all")
    #expect(text("old", last: "make  all", unsure: true, full: true) == "make  all")
    #expect(text("sudo vim f", full: true) == nil)
  }

  @Test func aVeryLongLineEndsSoon() {
    #expect(text(String(repeating: "nice ", count: 100_000) + "make") == "nice")
    #expect(text(String(repeating: "(", count: 100_000)) == nil)
  }
}
