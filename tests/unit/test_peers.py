"""Whose socket it is: true only for a loopback connection of this very user."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pageside.processes.peers import Peer, same_user
from support.sockets import connection

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/net/tcp")


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_an_own_connection_is_known_and_a_closed_or_turned_one_is_not(
    family: socket.AddressFamily, address: str
) -> None:
    with connection(family, address) as peer:
        assert same_user(peer)
        assert not same_user(peer._replace(port=1))
        assert not same_user(peer._replace(own_port=1))
        assert not same_user(peer._replace(own_address="10.0.0.1"))
    assert not same_user(peer)


def test_an_ipv4_peer_may_be_spelled_as_ipv6() -> None:
    with connection() as peer:
        assert same_user(peer._replace(address="::ffff:127.0.0.1", own_address="::ffff:127.0.0.1"))


CLIENT = """
import socket, sys
client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
print("connected", flush=True)
client.recv(1)
"""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can act as another user")
def test_another_users_connection_is_refused() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        command = ["/usr/bin/env", "python3", "-c", CLIENT, str(port)]
        other = subprocess.Popen(command, user=65534, cwd="/", stdout=subprocess.PIPE)
        assert other.stdout is not None
        with other:
            assert other.stdout.readline() == b"connected\n"
            accepted, address = server.accept()
            with accepted:
                assert not same_user(Peer(address[0], address[1], "127.0.0.1", port))


@hypothesis_settings(max_examples=40)
@given(st.text(), st.integers(), st.text(), st.integers())
def test_nonsense_is_nobodys(address: str, port: int, own: str, own_port: int) -> None:
    assert not same_user(Peer(address, port, own, own_port))
    assert not same_user(Peer("127.0.0.1", port, "::1", own_port))
