"""The sample web on loopback answers as the WARC does."""

import http.client
import threading
from collections.abc import Iterator

import pytest

from sitestrata.sample import Capture, make_server, make_world
from sitestrata.sample.truth import walk

pytestmark = pytest.mark.network


@pytest.fixture(scope="module")
def web() -> dict[str, Capture]:
    return {event.url: event for event in walk(make_world(5, 60, http_only=True)) if isinstance(event, Capture)}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with make_server(make_world(5, 60, http_only=True)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield int(server.server_address[1])
        server.shutdown()
        thread.join()


def test_served_pages_are_those_of_the_warc(web: dict[str, Capture], port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for url, capture in web.items():
        connection.request("GET", url)  # an absolute address: the server is used as a proxy
        response = connection.getresponse()
        body = response.read()

        assert response.status == capture.status
        assert body == capture.body or capture.status == 404


def test_hosts_are_told_apart_by_the_host_header(web: dict[str, Capture], port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    homes = [capture for url, capture in web.items() if url.count("/") == 3 and url.endswith("/")]
    assert homes
    for capture in homes:
        host = capture.url.split("/")[2]
        connection.request("GET", "/", headers={"Host": f"{host}:{port}"})

        assert connection.getresponse().read() == capture.body


def test_unknown_addresses_answer_404(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "http://nowhere.example/")

    assert connection.getresponse().status == 404
