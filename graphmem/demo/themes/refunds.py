"""Support: refunds and other requests about orders of a shop. Hides `verified-refund`."""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "lookup_order": Action(
        tools=("orders",),
        why=(
            "I need the order before I can promise anything.",
            "Check what was bought and when it was delivered.",
            "Start from order {order} to see its state.",
        ),
        good=(
            "Order {order}: {item}, delivered on {day}.",
            "Found {order}; paid in full, delivered {day}.",
            "One {item} in the order, no open return.",
        ),
        bad=("No order {order} under this e-mail address.", "The order service answered with an empty list."),
        arguments={"order_id": ("{order}",)},
    ),
    "check_policy": Action(
        tools=("policy_base",),
        why=(
            "The refund depends on the return window.",
            "See which rule covers this reason.",
            "Policy first: the amount differs by reason.",
        ),
        good=(
            "Within 30 days, full refund allowed.",
            "The rule for this reason allows a refund without return.",
            "Allowed, minus the shipping fee.",
        ),
        bad=("Two rules contradict each other.", "No rule for this reason."),
        arguments={"reason": ("damaged", "late", "duplicate", "wrong size")},
    ),
    "verify_payment": Action(
        tools=("payments",),
        why=(
            "Make sure that the charge has settled before sending money back.",
            "A refund on an unsettled charge bounces; look at the charge.",
            "Confirm which method was used.",
        ),
        good=(
            "Charge settled, method {method}.",
            "One settled charge of {amount} by {method}.",
            "Payment is complete and not disputed.",
        ),
        bad=("Charge still pending.", "The charge is disputed at the bank."),
        arguments={"method": ("{method}",)},
    ),
    "issue_refund": Action(
        tools=("payments",),
        why=(
            "Everything is in order, send the money back.",
            "Refund {amount} to {method}.",
            "The customer is entitled to it; issue the refund.",
        ),
        good=("Refund of {amount} accepted.", "{amount} goes back to {method} within five days."),
        bad=("Refund rejected: the charge cannot be reversed.", "The payment service refused the amount."),
        arguments={"amount": ("{amount}",), "full": (True, False)},
    ),
    "ask_customer": Action(
        tools=("chat",),
        why=("The request leaves out a detail.", "Ask for a photo and the date of delivery."),
        good=("The customer sent a photo.", "The customer confirmed the item and the address."),
        bad=("No answer after ten minutes.",),
    ),
    "send_email": Action(
        tools=("mail",),
        why=("Put the result in writing.", "The customer wants a confirmation."),
        good=("Confirmation sent.", "Mail delivered to the address on file."),
        bad=("The mail bounced.",),
    ),
    "offer_coupon": Action(
        tools=("crm",),
        why=("A small gesture may be enough.", "Offer a coupon instead of the money."),
        good=("Coupon of ten per cent added.", "The customer took the coupon."),
        bad=("The customer does not want a coupon.",),
    ),
    "update_ticket": Action(
        tools=("crm",),
        why=("Keep the ticket in step with the case.", "Write down what was agreed."),
        good=("Ticket updated.", "Notes added to the ticket."),
        bad=("The ticket is locked by a colleague.",),
    ),
}

REFUNDS = Theme(
    key="refund",
    domain="support",
    language="en",
    size=46,
    cast=Cast("verified-refund", success=21, partial=0, failure=1),
    other_success=0.25,
    versioned=True,
    tasks=(
        Task(
            "refund-damaged",
            (
                (
                    "Refund order {order}: the {item} arrived damaged",
                    "My {item} came broken. I want my money back.",
                ),
                ("Settle the damage claim for order {order}", "The {item} has a crack, order {order}."),
            ),
        ),
        Task(
            "refund-late",
            (
                ("Refund order {order} because it came too late", "It was a present and came a week late."),
                ("Compensate the late delivery of the {item}", "I waited three weeks for the {item}!"),
            ),
        ),
        Task(
            "refund-duplicate",
            (("Refund the second charge for order {order}", "You charged {amount} twice for {order}."),),
        ),
        Task(
            "refund-wrong-size",
            (
                ("Refund the {item} in the wrong size", "The {item} does not fit, can I get a refund?"),
                ("Take back the {item} of order {order}", "Wrong size again, I give up on the {item}."),
            ),
        ),
        Task(
            "refund-cancelled",
            (("Return the money for the cancelled order {order}", "I cancelled {order}, where is my money?"),),
        ),
    ),
    one_offs=(
        ("Change the delivery address of order {order}", "I moved, please send {order} to my new address."),
        ("Resend the invoice for order {order}", "Accounting needs the invoice of {order}."),
        ("Explain the customs fee on order {order}", "Why do I pay customs for a {item}?"),
        ("Find the lost parcel of order {order}", "The tracking of {order} has not moved since {day}."),
        ("Merge two accounts of one customer", "I have two accounts and want one."),
    ),
    slots={
        "order": ("W#####", "W#####", "A####"),
        "item": ("desk lamp", "rain jacket", "coffee grinder", "backpack", "keyboard", "blender"),
        "amount": ("$##.##", "$1##.##"),
        "method": ("credit card", "bank transfer", "gift card"),
        "day": ("March #", "April 1#", "May #"),
    },
    actions=_ACTIONS,
    fillers=("ask_customer", "send_email", "offer_coupon", "update_ticket"),
    planted=(
        Scene(
            (
                Move("lookup_order"),
                Move("check_policy"),
                Move("verify_payment"),
                Move("issue_refund", tools_always=True),
            ),
            lessons=("Check policy and payment, in that order, before issuing a refund.",),
        ),
        Scene(
            (
                Move("lookup_order", concepts=("order",)),
                Move("check_policy", concepts=("refund policy",)),
                Move("verify_payment", concepts=("payment check",)),
                Move("issue_refund", concepts=("refund",), tools_always=True),
                Move("send_email"),
            ),
            lessons=("A refund on a settled charge goes through the first time.",),
        ),
    ),
    decoys=(
        Scene(
            (
                Move("lookup_order"),
                Move("issue_refund", concepts=("refund",), errors=("RefundRejected",), effective=False),
                Move("verify_payment", concepts=("payment check",)),
                Move("check_policy"),
            ),
        ),
        Scene((Move("check_policy", concepts=("refund policy",)), Move("lookup_order"), Move("issue_refund"))),
        Scene(
            (
                Move("verify_payment", errors=("ChargePending",), effective=False),
                Move("lookup_order", concepts=("order",)),
                Move("check_policy"),
                Move("offer_coupon"),
                Move("issue_refund"),
            ),
        ),
        Scene((Move("verify_payment"), Move("issue_refund"), Move("lookup_order"), Move("update_ticket"))),
    ),
    stray_errors=("RefundRejected", "ChargePending", "OrderNotFound"),
    stray_concepts=("refund", "order", "delivery", "refund policy", "payment check"),
    ambient=("delivery", "customer", "invoice"),
    endings={
        "success": ("Refund of {amount} issued.", "The customer has the money back and a confirmation."),
        "partial": ("A coupon was accepted in place of the full refund.", "Half of the amount was refunded."),
        "failure": ("The refund was rejected and the customer left.", "No refund; the case went in circles."),
    },
    lessons={
        "success": ("Ask for a photo early.", "A clear date for the refund calms the customer."),
        "failure": (
            "Do not promise a refund before the charge is known.",
            "An unsettled charge cannot be refunded.",
        ),
    },
    tags=("refund", "customer", "urgent", "chat"),
)
