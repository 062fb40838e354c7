// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// A token that moves by signature (EIP-3009), as far as x402 needs one. It has no constructor, so
/// that its code can be put at any address; anybody may mint.
contract Token {
    string public constant name = "USDC";
    string public constant version = "2";
    uint8 public constant decimals = 6;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    bytes32 private constant DOMAIN = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    event Transfer(address indexed from, address indexed to, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        move(Authorization(from, to, value, validAfter, validBefore, nonce), v, r, s);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        require(signature.length == 65, "invalid signature length");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        move(
            Authorization(from, to, value, validAfter, validBefore, nonce),
            uint8(signature[64]),
            r,
            s
        );
    }

    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    function move(Authorization memory a, uint8 v, bytes32 r, bytes32 s) private {
        require(block.timestamp > a.validAfter, "authorization is not yet valid");
        require(block.timestamp < a.validBefore, "authorization is expired");
        require(!authorizationState[a.from][a.nonce], "authorization is used or canceled");
        require(ecrecover(digest(a), v, r, s) == a.from && a.from != address(0), "invalid signature");
        require(balanceOf[a.from] >= a.value, "transfer amount exceeds balance");
        authorizationState[a.from][a.nonce] = true;
        balanceOf[a.from] -= a.value;
        balanceOf[a.to] += a.value;
        emit AuthorizationUsed(a.from, a.nonce);
        emit Transfer(a.from, a.to, a.value);
    }

    function digest(Authorization memory a) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this)
            )
        );
        bytes32 content = keccak256(
            abi.encode(TRANSFER, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce)
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, content));
    }
}
