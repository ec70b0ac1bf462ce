#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A Bluetooth adapter for the kernel (hci_vhci), and heart rate straps in its reach, simulated by Bumble.

A strap is there while the file FOLDER/NAME is: it advertises as "Strap NAME", and once a second it measures the
beats a minute that the file says. Without the file it loses its connection and is silent. The end of this process
pulls the adapter.

  straps FOLDER NAME...
"""

import asyncio
import os
import struct
import sys

sys.path.insert(0, "/usr/local/lib/bumble")

from bumble.controller import Controller  # noqa: E402
from bumble.core import UUID, AdvertisingData  # noqa: E402
from bumble.device import Device  # noqa: E402
from bumble.gatt import Characteristic, Service  # noqa: E402
from bumble.hci import HCI_LE_SET_PRIVACY_MODE_COMMAND, Address, LeFeatureMask  # noqa: E402
from bumble.host import Host  # noqa: E402
from bumble.link import LocalLink  # noqa: E402
from bumble.transport import open_transport  # noqa: E402

HEART_RATE, MEASUREMENT, BATTERY, LEVEL = 0x180D, 0x2A37, 0x180F, 0x2A19
#: A measurement's flags: contact is measured, and the strap has it.
IN_CONTACT = 6


class Air(LocalLink):
    """Bumble 0.0.236 names the random address of a controller as the sender of data. Linux changes that address
    for each scan, while a connection keeps the one with which it began."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            asyncio.get_running_loop().call_soon(
                receiver.on_link_acl_data, connection.self_address, transport, data)


class Adapter(Controller):
    """Bumble 0.0.236 tells of a new connection as adapters of Bluetooth 4.0 do. Of one that promises more, Linux waits
    20 s for another event, and sends no command meanwhile."""

    le_features = Controller.le_features & ~LeFeatureMask.LL_PRIVACY & ~LeFeatureMask.LE_EXTENDED_ADVERTISING
    supported_commands = Controller.supported_commands - {HCI_LE_SET_PRIVACY_MODE_COMMAND}


class Strap:
    """One that is put on and taken off: each time it is a new device on the same air."""

    def __init__(self, air, number, path):
        self.air, self.path = air, path
        self.name = f"Strap {os.path.basename(path)}"
        self.addresses = f"C0:F1:F2:F3:F4:{number:02}", f"F0:F1:F2:F3:F4:{number:02}"
        self.device, self.controller = None, None

    def rate(self):
        """Beats a minute; None while nobody wears it."""
        try:
            with open(self.path, encoding="ascii") as file:
                return int(file.read() or 0)
        except FileNotFoundError:
            return None

    async def run(self):
        while True:
            rate = self.rate()
            if rate is None and self.device is not None:
                await self.leave()
            elif rate is not None and self.device is None:
                await self.come()
            if self.device is not None:
                await self.device.notify_subscribers(self.measurement, struct.pack("<BB", IN_CONTACT, rate))
            await asyncio.sleep(1)

    async def come(self):
        address, public = self.addresses
        self.controller = Controller(self.name, link=self.air, public_address=public)
        host = Host()
        host.controller = self.controller
        self.device = Device(name=self.name, address=Address(address), host=host)
        self.measurement = Characteristic(
            UUID.from_16_bits(MEASUREMENT), Characteristic.Properties.NOTIFY, Characteristic.READABLE, b"\0\0")
        level = Characteristic(
            UUID.from_16_bits(LEVEL), Characteristic.Properties.READ, Characteristic.READABLE, bytes([80]))
        self.device.add_services([
            Service(UUID.from_16_bits(HEART_RATE), [self.measurement]),
            Service(UUID.from_16_bits(BATTERY), [level])])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([6])),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, struct.pack("<H", HEART_RATE)),
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode())]))
        await self.device.power_on()
        await self.device.start_advertising(auto_restart=True, advertising_interval_min=200,
                                            advertising_interval_max=200)

    async def leave(self):
        await self.device.stop_advertising()
        for connection in list(self.device.connections.values()):
            await connection.disconnect()
        self.air.remove_controller(self.controller)
        self.device, self.controller = None, None


async def main(folder, *names):
    air = Air()
    async with await open_transport("vhci:/dev/vhci") as kernel:
        Adapter("adapter", host_source=kernel.source, host_sink=kernel.sink, link=air,
                public_address="00:11:22:33:44:55")
        await asyncio.gather(
            *(Strap(air, number, os.path.join(folder, name)).run() for number, name in enumerate(names, 1)))


asyncio.run(main(*sys.argv[1:]))
