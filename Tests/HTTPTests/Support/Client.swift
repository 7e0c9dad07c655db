import Foundation
import HTTP

/// Runs a test with a transport, which is shut down afterwards.
func withTransport<T: Sendable>(
  _ change: (inout LiveTransport.Options) throws -> Void = { _ in },
  _ body: (LiveTransport) async throws -> T
) async throws -> T {
  var options = LiveTransport.Options(
    version: "1.2.3", homepage: "https://reddot.example/", now: { Date(timeIntervalSince1970: 1_900_000_000) }
  )
  try change(&options)
  let transport = LiveTransport(options)
  do {
    let result = try await body(transport)
    await transport.shutdown()
    return result
  } catch {
    await transport.shutdown()
    throw error
  }
}

extension LiveTransport {
  /// Returns the failure of a request, or `nil` if it succeeded.
  func failure(_ request: TransportRequest) async -> RequestFailure? {
    do throws(RequestFailure) {
      _ = try await send(request)
      return nil
    } catch {
      return error
    }
  }

  func failure(_ url: String) async -> RequestFailure? { await failure(TransportRequest(url: url)) }
}
