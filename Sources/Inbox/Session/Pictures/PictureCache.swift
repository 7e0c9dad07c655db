import Basics
import Foundation
package import HTTP
package import Interface
package import Messages
package import Platform
import Screen
import Services

/// Fetches pictures and draws them. The bytes of the last few are kept, since a resize draws them again.
package actor PictureCache {

  private let transport: any HTTPTransport
  private let renderer: PictureRenderer
  private let colors: PictureRenderer.Colors?
  private var limits: PollSettings
  /// The fetched pictures, the latest last.
  private var fetched: [(address: String, bytes: Data)] = []
  /// The number of pictures drawn in pixels.
  private var graphics = 0

  /// - Parameters:
  ///   - colors: the colours; with `nil`, nothing is fetched or drawn.
  ///   - limits: the time and the size of a request.
  package init(
    transport: any HTTPTransport, environment: [String: String], programs: ProgramRunner,
    colors: PictureRenderer.Colors?, limits: PollSettings
  ) {
    self.limits = limits
    self.transport = transport
    renderer = PictureRenderer(environment: environment, programs: programs)
    self.colors = colors
  }

  package func settingsChanged(limits: PollSettings) { self.limits = limits }

  /// Draws a picture, which is fetched first if its bytes are not kept.
  ///
  /// - Parameters:
  ///   - format: the format of pixels, or `nil` if the terminal shows only half blocks.
  ///   - showDraft: gets the half blocks while the picture in pixels is still to be drawn.
  package func draw(
    _ request: PictureRequest, format: GraphicFormat? = nil,
    showDraft: @Sendable (PictureAnswer) async -> Void = { _ in }
  ) async -> PictureAnswer {
    guard let colors else { return .failed(.unknownFormat) }
    if request.isInText, !renderer.hasDecoder { return .failed(.noDecoder) }
    let bytes: Data
    switch await self.bytes(request.address) {
    case .success(let found): bytes = found
    case .failure(let reason): return .failed(reason.failure)
    }
    var (columns, rows) = (request.columns, request.rows)
    if request.isInText, let size = PictureFormat(bytes)?.size(bytes) {
      guard !size.isTooSmall else { return .drawn([]) }
      columns = min(columns, size.columns)
      rows = min(rows, size.rows)
    }
    do throws(PictureRenderer.Failure) {
      let lines = try await renderer.draw(bytes, columns: columns, rows: rows, colors: colors)
      guard let format, !lines.isEmpty else { return .drawn(lines) }
      await showDraft(.draft(lines))
      guard !Task.isCancelled else { return .drawn(lines) }
      graphics += 1
      let cells = Size(columns: lines.reduce(0) { max($0, $1.columns) }, rows: lines.count)
      let graphic = await renderer.graphic(bytes, cells: cells, format: format, number: graphics)
      return .drawn(graphic?.over(lines) ?? lines)
    } catch {
      switch error {
      case .notAPicture: return .failed(.unknownFormat)
      case .tooLarge: return .failed(.tooLarge)
      case .noDecoder: return .failed(.noDecoder)
      case .undecodable: return .failed(.undecodable)
      }
    }
  }

  /// Keeps the bytes of a picture, and drops the oldest pictures above the limits.
  private func keep(_ address: String, _ bytes: Data) {
    // It may have been fetched twice at the same time.
    fetched.removeAll { $0.address == address }
    fetched.append((address, bytes))
    var total = fetched.reduce(0) { $0 + $1.bytes.count }
    while fetched.count > Limits.pictures || total > Limits.keptPictureBytes, fetched.count > 1 {
      total -= fetched.removeFirst().bytes.count
    }
  }

  private struct Refusal: Error {
    var failure: PictureFailure
  }

  /// Returns the bytes of a picture: from its URL itself, from memory, or from the server.
  private func bytes(_ address: String) async -> Result<Data, Refusal> {
    if let held = PictureData(address: address) { return .success(held.png) }
    if let known = fetched.firstIndex(where: { $0.address == address }) {
      fetched.append(fetched.remove(at: known))
      return .success(fetched[fetched.count - 1].bytes)
    }
    var request = TransportRequest(url: address)
    request.headers = [HeaderField("Accept", "image/png, image/jpeg, image/gif, image/webp")]
    request.requestTimeout = limits.requestTimeout
    request.responseLimit = min(limits.responseLimit, Limits.pictureBytes)
    do throws(RequestFailure) {
      let response = try await transport.send(request)
      guard (200..<300).contains(response.status) else {
        return .failure(Refusal(failure: .fetch(.status(response.status, reason: ""))))
      }
      // Only images are decoded, by their Content-Type if there is one.
      if let type = response.headers["Content-Type"], !type.lowercased().hasPrefix("image/"),
        !type.lowercased().hasPrefix("application/octet-stream")
      {
        return .failure(Refusal(failure: .unknownFormat))
      }
      keep(address, response.body)
      return .success(response.body)
    } catch {
      return .failure(Refusal(failure: .fetch(FetchFailure(error))))
    }
  }
}
