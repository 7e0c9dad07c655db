import CFuzzer
import Foundation

/// `reddot-fuzz TARGET [options of libFuzzer] [folders]`: runs one reader on bytes that libFuzzer generates by code
/// coverage. `Resources/fuzz` builds and runs it.
@main
struct Fuzz {
  /// The processor time for one input: instrumented code with all checks takes several times as long as the
  /// program, but inputs are short, so that linear work takes much less.
  private static let seconds = 2.0

  /// The variable with the target for the programs that libFuzzer starts.
  private static let variable = "REDDOT_FUZZ_TARGET"

  /// The target, which is chosen once, before the first input.
  nonisolated(unsafe) private static var target = FuzzTarget.json

  static func main() {
    // For some options libFuzzer starts its program again, without the first argument.
    let inherited = getenv(Self.variable).flatMap { FuzzTarget(rawValue: String(cString: $0)) }
    let named = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.init(rawValue:))
    guard let chosen = named ?? inherited else {
      let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
      FileHandle.standardError.write(
        Data("USAGE: reddot-fuzz TARGET [OPTION…] [FOLDER…]\n\nTARGETS: \(names)\n".utf8))
      exit(64)
    }
    target = chosen
    setenv(Self.variable, chosen.rawValue, 1)
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    var count = CommandLine.argc
    if named != nil {
      // libFuzzer gets the arguments after the target's name.
      values?[1] = CommandLine.unsafeArgv[0]
      values = values?.advanced(by: 1)
      count -= 1
    }
    _ = LLVMFuzzerRunDriver(&count, &values, fuzzOneInput)
  }

  fileprivate static func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    let start = processorSeconds
    do throws(Violation) {
      // Each input uses one width: other lengths use the others, in a third of the time.
      let widths = FuzzTarget.widths
      try target.check(Data(bytes), widths: [widths[bytes.count % widths.count]])
    } catch {
      fatalError("\(target.rawValue): \(error.description)")
    }
    let taken = processorSeconds - start
    if taken > seconds {
      fatalError("\(target.rawValue): \(bytes.count) bytes took \(taken) s of processor time")
    }
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The name that libFuzzer's library requires.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.check(UnsafeBufferPointer(start: bytes, count: count))
  return 0
}
