import Basics
internal import CDuktape
import Foundation

/// The main loop of the process that runs a view's scripts: reads one request from each line, runs it in the engine,
/// and writes the calls that the script made.
///
/// The process has no files, no network and no environment. Each event may use `Limits.scriptMilliseconds` of processor
/// time, and the engine `Limits.scriptMemoryBytes`. Using more ends the process, which the parent notices.
package enum ScriptHost {

  /// Handles requests until standard input ends.
  package static func run() {
    reddot_confine(Limits.scriptMemoryBytes + Limits.scriptMessageBytes)
    let budget = UnsafeMutablePointer<reddot_budget>.allocate(capacity: 1)
    budget.initialize(to: reddot_budget(used: 0, limit: Limits.scriptMemoryBytes, refused: 0, refusals: 0))
    guard let context = reddot_create(budget) else { return }
    _ = evaluate(context, ScriptPrelude.source)
    do {
      while let line = readLine(strippingNewline: true) {
        let answer = try JSONEncoder().encode(answer(to: Data(line.utf8), context))
        try FileHandle.standardOutput.write(contentsOf: answer + [10])
      }
    } catch {
      // The parent has ended, or it will notice that this process has.
    }
  }

  /// Runs one request, and returns its response.
  private static func answer(to line: Data, _ context: OpaquePointer) throws -> ScriptAnswer {
    let request: ScriptRequest
    do {
      request = try JSONDecoder().decode(ScriptRequest.self, from: line)
    } catch {
      return ScriptAnswer(calls: [], error: "the request could not be read")
    }
    let sync = try request.elements.map { ["__reddot.sync(\(try json($0)))"] } ?? []
    let codes = try sync + codes(request.event)
    reddot_arm(Limits.scriptMilliseconds)
    defer { reddot_arm(0) }
    _ = evaluate(context, "__reddot.begin(\(request.width), \(request.height))")
    var error: String?
    for code in codes {
      if case .failure(let thrown) = evaluate(context, code) { error = error ?? thrown.text }
    }
    do {
      let list = try evaluate(context, "__reddot.end()").get()
      return ScriptAnswer(
        calls: try JSONDecoder().decode([ScriptAnswer.Call].self, from: Data(list.utf8)), error: error)
    } catch let thrown as Thrown {
      return ScriptAnswer(calls: [], error: error ?? thrown.text)
    } catch {
      // `stringify` is affected by a script's changes to the prototypes of arrays and objects.
      return ScriptAnswer(
        calls: [], error: "the script changed the encoding of its calls, so none is carried out")
    }
  }

  /// Returns the JavaScript that an event runs.
  private static func codes(_ event: ScriptRequest.Event) throws -> [String] {
    switch event {
    case .load(let scripts): scripts
    case .run(let code, let element): ["__reddot.run(\(try json(code)), \(try json(element)))"]
    case .click(let element): ["__reddot.click(\(try json(element)))"]
    case .resize: ["__reddot.resize()"]
    }
  }

  /// Returns a value as a JavaScript literal. U+2028 and U+2029 are escaped, because they end lines in ES5.
  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self).replacingBytes(
      "\u{2028}", with: "\\u2028"
    )
    .replacingBytes("\u{2029}", with: "\\u2029")
  }

  /// An exception that a script threw.
  struct Thrown: Error {
    var text: String
  }

  /// Runs JavaScript in the engine, and returns its result as a string, or the exception.
  private static func evaluate(_ context: OpaquePointer, _ source: String) -> Result<String, Thrown> {
    var source = source
    let failed = source.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { reddot_eval(context, $0.baseAddress, $0.count) }
    }
    defer { reddot_pop(context) }
    var length = 0
    let pointer = reddot_result(context, &length)
    let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
    let text = text(bytes)
    return failed == 0 ? .success(text) : .failure(Thrown(text: text))
  }

  /// Decodes a string of the engine, which writes a character beyond U+FFFF as two surrogates of three bytes each
  /// (CESU-8).
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.contains(0xED) else { return String(decoding: bytes, as: UTF8.self) }
    func surrogate(at place: Int, _ second: ClosedRange<UInt8>) -> UInt32? {
      guard place + 2 < bytes.count, bytes[place] == 0xED, second.contains(bytes[place + 1]) else {
        return nil
      }
      return UInt32(bytes[place + 1] & 0x3F) << 6 | UInt32(bytes[place + 2] & 0x3F)
    }
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if let high = surrogate(at: place, 0xA0...0xAF), let low = surrogate(at: place + 3, 0xB0...0xBF),
        let scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF)),
        let units = UTF8.encode(scalar)
      {
        result.append(contentsOf: units)
        place += 6
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
